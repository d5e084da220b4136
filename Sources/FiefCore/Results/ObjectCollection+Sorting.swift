extension ObjectCollection {
  /// Returns the objects in the order of a property.
  ///
  /// ```swift
  /// let byAge = person.dogs.sorted(by: \.age, ascending: false)
  /// ```
  public func sorted<Value>(by keyPath: KeyPath<Member, Value>, ascending: Bool = true) -> Results<Member> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }
}

extension ObjectCollection {
  /// Returns the objects in sections by a property, in a given order; see ``Results``.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Member, Key>,
    sortDescriptors: [PropertyOrder]
  ) -> SectionedResults<Key, Member> { results.sectioned(by: keyPath, sortDescriptors: sortDescriptors) }

  /// Returns the objects in sections by keys that a closure computes.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Member) -> Key,
    sortDescriptors: [PropertyOrder] = []
  ) -> SectionedResults<Key, Member> { results.sectioned(by: key, sortDescriptors: sortDescriptors) }
}
