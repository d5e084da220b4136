extension ChangeSet {
  /// The changes of a type. Empty if the type has not changed.
  public subscript(type: Object.Type) -> TypeChanges { types[type.className()] ?? TypeChanges() }
}
