extension ObjectCollection {
  /// The objects in the order of a property.
  ///
  /// ```swift
  /// let byAge = person.dogs.sorted(by: \.age, ascending: false)
  /// ```
  public func sorted<Value>(by keyPath: KeyPath<Member, Value>, ascending: Bool = true) -> Results<Member> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }
}
