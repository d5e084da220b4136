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

extension ObjectCollection {
  /// The objects in sections of equal values of a property, in an order, as ``Results`` have them.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Member, Key>,
    sortDescriptors: [PropertyOrder]
  ) -> SectionedResults<Key, Member> { results.sectioned(by: keyPath, sortDescriptors: sortDescriptors) }

  /// The objects in sections by the keys that a closure computes from them.
  public func sectioned<Key: Persistable & Hashable>(
    by key: @escaping @Sendable (Member) -> Key,
    sortDescriptors: [PropertyOrder] = []
  ) -> SectionedResults<Key, Member> { results.sectioned(by: key, sortDescriptors: sortDescriptors) }
}
