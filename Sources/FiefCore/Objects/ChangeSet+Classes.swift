extension ChangeSet {
  /// The changes of a type; empty where there are none.
  public subscript(type: Object.Type) -> TypeChanges { types[type.className()] ?? TypeChanges() }
}
