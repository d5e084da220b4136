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
