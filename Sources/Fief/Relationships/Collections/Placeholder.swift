extension RealmCollectionValue {
  /// What stands for an element that cannot be had: an object that is in no store, the type's default value; nil where the
  /// type has none.
  static var placeholder: Self? {
    if let type = self as? ObjectBase.Type { return type.init() as? Self }
    if let type = self as? any Persistable.Type { return type._defaultValue() as? Self }
    if let type = self as? any _CustomPersistable.Type { return type.madeOfDefault as? Self }
    return nil
  }
}

extension _CustomPersistable {
  fileprivate static var madeOfDefault: Self? { _make(PersistedType._defaultValue()) }
}
