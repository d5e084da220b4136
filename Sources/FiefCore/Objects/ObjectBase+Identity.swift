extension ObjectBase {
  /// Whether two objects are the same one of a store.
  ///
  /// Objects that were never saved and have no primary key are the same only if they are one instance.
  public func hasSameKey(as other: ObjectBase) -> Bool {
    guard Swift.type(of: self) == Swift.type(of: other), !(self is EmbeddedObject) else { return false }
    let primaryKey = descriptor.primaryKey
    if primaryKey.isEmpty { return _rowID != 0 && _rowID == other._rowID }
    return primaryKey.allSatisfy { index in
      let property = descriptor.properties[index]
      var first = ValueWriter()
      var second = ValueWriter()
      do {
        try value(of: property)._append(to: &first)
        try other.value(of: property)._append(to: &second)
        return first.bytes == second.bytes
      } catch {
        // A key that cannot be encoded fails the save of its object, and is not the key of another one.
        return false
      }
    }
  }
}
