extension RealmCollectionValue {
  /// The placeholder for an element that cannot be read: an object that is not in a store and cannot be
  /// saved, or the type's default value. It is `nil` if the type has no default value.
  static var placeholder: Self? {
    if let type = self as? ObjectBase.Type { return type.standIn() as? Self }
    if let type = self as? any Persistable.Type {
      return CreationDate.withoutClock(1) { type._defaultValue() } as? Self
    }
    if let type = self as? any _CustomPersistable.Type { return type.madeOfDefault as? Self }
    return nil
  }

  /// Whether elements of the type have no placeholder. A list of such elements has read all the elements that
  /// it counts, so the element at every valid index is readable.
  static var lacksPlaceholder: Bool { self is any _CustomPersistable.Type && placeholder == nil }
}

extension _CustomPersistable {
  fileprivate static var madeOfDefault: Self? {
    _make(CreationDate.withoutClock(1) { PersistedType._defaultForm() })
  }
}
