// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Objects as values of properties and elements of collections: a link, or an embedded record.
extension ObjectBase: RealmCollectionValue {
  public static var _elementType: ColumnType {
    let kind: ColumnType.Kind = self is EmbeddedObject.Type ? .embedded : .link
    return ColumnType(kind, target: className())
  }

  public static var _isFault: Bool { true }

  public func _appendElement(to writer: inout ValueWriter) throws {
    guard let graph = writer.graph else {
      throw FiefError(
        .invalidValue, "An object cannot be a value here.", type: Swift.type(of: self).className())
    }
    if let embedded = self as? EmbeddedObject {
      try graph.appendEmbedded(embedded, to: &writer)
    } else {
      writer.bytes.append(contentsOf: try graph.reference(to: self))
    }
  }

  public static func _readElement(from reader: inout ValueReader) throws -> Self? {
    guard let context = reader.context else { return nil }
    let payload = reader.remaining()
    guard self is EmbeddedObject.Type else {
      return try context.object(of: self, key: payload) as? Self
    }
    guard let binding = try context.store?.binding(of: self) else { return nil }
    return try binding.decodeEmbedded(record: payload, context: context) as? Self
  }

  public func _adopt(by owner: ObjectBase) {
    (self as? EmbeddedObject)?._owner = owner
  }

  public static func _areEqual(_ first: ObjectBase, _ second: ObjectBase) -> Bool {
    first === second || first.hasSameKey(as: second)
  }

  public static func _convertElement(_ value: Any, _ conversion: ValueConversion) throws -> Self {
    if let object = value as? Self { return object }
    if let make = conversion.makeObject, let made = try make(self, value, conversion) as? Self { return made }
    let object = Self()
    try object.assign(value, conversion)
    return object
  }

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
      try? value(of: property)._append(to: &first)
      try? other.value(of: property)._append(to: &second)
      return first.bytes == second.bytes
    }
  }
}
