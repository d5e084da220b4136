extension ObjectBase {
  /// Returns a Boolean value that indicates whether two objects of the same class have the same key.
  ///
  /// Embedded objects have no key. Objects without a primary key have none until they are saved. If one of
  /// the objects has no key, the result is `false`.
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
        // Saving an object whose key cannot be encoded fails. Such a key equals no other key.
        return false
      }
    }
  }
}
