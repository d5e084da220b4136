#if !canImport(ObjectiveC)
  /// Calls a closure and returns its result.
  ///
  /// Code for Realm wraps loops and work on background threads in a pool, so that Objective-C releases the
  /// objects of each iteration. Without Objective-C, Swift releases every object as soon as nothing refers to
  /// it, so the function only calls the closure. Apple's systems have their own function with this name.
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
  /// - Throws: the error of the closure.
  @inlinable
  public func autoreleasepool<Failure: Error, Value>(invoking body: () throws(Failure) -> Value)
    throws(Failure) -> Value
  {
    try body()
  }
#endif
