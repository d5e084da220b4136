import LMDB

extension ObjectBase {
  /// The key that the object has in a store, whatever store that is: its secret parts are in clear, which
  /// ``Table/stored(_:)`` seals. Nil for one without a primary key that was never saved.
  ///
  /// - Throws: ``FiefError`` for a primary key that cannot be one.
  package var keyInQueries: ObjectKey? {
    get throws {
      let descriptor = descriptor
      guard !descriptor.primaryKey.isEmpty else { return _rowID == 0 ? nil : ObjectKey(rowID: _rowID) }
      var encoder = KeyEncoder()
      for index in descriptor.primaryKey {
        let property = descriptor.properties[index]
        let value = value(of: property)
        if value._isNil {
          encoder.appendNull()
        } else {
          var writer = ValueWriter()
          try value._append(to: &writer)
          try writer.withBytes { try KeyCoding.append($0, kind: property.type.kind, to: &encoder) }
        }
      }
      return ObjectKey(bytes: encoder.bytes)
    }
  }
}
