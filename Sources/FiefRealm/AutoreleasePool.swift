#if !canImport(ObjectiveC)
  /// Calls a closure and returns its result.
  ///
  /// Code for Realm wraps loops and work on background threads in a pool, so that Objective-C releases the objects of each
  /// turn. Without Objective-C, Swift releases every object as soon as nothing refers to it, so the function only calls
  /// the closure. Apple's systems have the function of their own.
  ///
  /// ```swift
  /// for part in parts {
  ///   try autoreleasepool {
  ///     let realm = try Realm()
  ///     try realm.write { realm.add(part.objects) }
  ///   }
  /// }
  /// ```
  /// - Parameter body: the closure to call.
  /// - Returns: the result of the closure.
  /// - Throws: the error that the closure throws.
  @inlinable
  public func autoreleasepool<Failure: Error, Value>(invoking body: () throws(Failure) -> Value)
    throws(Failure) -> Value
  {
    try body()
  }
#endif
