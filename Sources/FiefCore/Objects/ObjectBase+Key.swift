import LMDB

extension ObjectBase {
  /// The object's key in any store, or `nil` for an unsaved object without a primary key. Secret parts are in
  /// clear; ``Table/stored(_:)`` seals them.
  ///
  /// - Throws: ``FiefError`` if the primary key is invalid.
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
