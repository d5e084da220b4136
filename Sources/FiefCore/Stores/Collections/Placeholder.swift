extension RealmCollectionValue {
  /// The stand-in for an element that cannot be read: an object that is in no store and cannot be saved, the
  /// type's default value; nil where the type has none.
  static var placeholder: Self? {
    if let type = self as? ObjectBase.Type { return type.standIn() as? Self }
    if let type = self as? any Persistable.Type {
      return CreationDate.withoutClock(1) { type._defaultValue() } as? Self
    }
    if let type = self as? any _CustomPersistable.Type { return type.madeOfDefault as? Self }
    return nil
  }

  /// Whether an element can have no stand-in. A list of such elements has read all of those that it counts:
  /// none of its indexes leads to an unreadable one.
  static var lacksPlaceholder: Bool { self is any _CustomPersistable.Type && placeholder == nil }
}

extension _CustomPersistable {
  fileprivate static var madeOfDefault: Self? {
    _make(CreationDate.withoutClock(1) { PersistedType._defaultForm() })
  }
}
