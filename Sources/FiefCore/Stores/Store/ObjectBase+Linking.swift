// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
/// Objects as values of properties and elements of collections: as links or as embedded records.
extension ObjectBase: RealmCollectionValue {
  public static var _elementType: ColumnType {
    let kind: ColumnType.Kind = self is EmbeddedObject.Type ? .embedded : .link
    return ColumnType(kind, target: className())
  }

  public static var _isFault: Bool { true }

  public static func _deferredElement(_ source: _DeferredValue) -> Self? {
    let standIn = Self()
    standIn._context = ObjectContext(.deferred(source))
    return standIn
  }

  public var _deferredSource: _DeferredValue? { _context?.deferred }

  public static var _linkType: ObjectBase.Type? { self is EmbeddedObject.Type ? nil : self }

  public static func _linked(_ object: ObjectBase?) -> Self? { object?.cast(to: Self.self) }

  public func _appendElement(to writer: inout _ValueWriter) throws {
    guard let graph = writer.graph else {
      throw FiefError(
        .invalidValue,
        "An object cannot be a value here.",
        type: Swift.type(of: self).className()
      )
    }
    if let embedded = self as? EmbeddedObject {
      try graph.appendEmbedded(embedded, to: &writer)
    } else {
      try graph.appendReference(to: self, to: &writer)
    }
  }

  public static func _readElement(from reader: inout _ValueReader) throws -> Self? {
    guard let context = reader.context else { return nil }
    let payload = reader.remaining()
    guard self is EmbeddedObject.Type else {
      return try context.object(of: self, key: payload) as? Self
    }
    guard let binding = try context.store?.binding(of: self) else { return nil }
    return try binding.decodeEmbedded(record: payload, context: context.lasting) as? Self
  }

  public func _adopt(by owner: ObjectBase) {
    owner._holdsObjects = true
    if owner._hasNotes { CopiedLinks.noteAssignment(of: [self], to: owner) }
    guard let embedded = self as? EmbeddedObject, embedded._owner !== owner else { return }
    if let former = embedded._owner { embedded._formerOwner = former }
    embedded._owner = owner
    embedded._place = nil
    owner._context?.didHandOutPart(of: owner)
  }

  public static func _areEqual(_ first: ObjectBase, _ second: ObjectBase) -> Bool {
    first === second || first.hasSameKey(as: second)
  }

  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> Self {
    if let object = ValueConversion.cast(value, to: Self.self) {
      return try conversion.copied(object)
    }
    let object = Self()
    if conversion.isJSON, try object.becomeReference(to: value, conversion) { return object }
    var conversion = conversion
    conversion.depth += 1
    try conversion.checkDepth()
    try object.assign(value, conversion)
    return object
  }
}

extension ObjectBase {
  /// Makes the object a reference to the stored object whose primary key a document contains in place of an
  /// object.
  ///
  /// - Returns: false if the value is an object, or if the type has no primary key.
  /// - Throws: ``FiefError`` of code `invalidValue` if the value is not a key of the type.
  func becomeReference(to value: Any, _ conversion: ValueConversion) throws -> Bool {
    let descriptor = descriptor
    let primaryKey = descriptor.primaryKey
    guard !(value is JSONObject), !ValueConversion.isNil(value), !primaryKey.isEmpty else { return false }
    let parts = primaryKey.count == 1 ? [value] : value as? [Any] ?? []
    guard parts.count == primaryKey.count else {
      throw conversion.wrongType(value, expected: "an object of \(descriptor.name), or its primary key")
    }
    for (index, part) in zip(primaryKey, parts) {
      let property = descriptor.properties[index]
      setValue(try property.field.convert(part, conversion), of: property)
    }
    _isReference = true
    conversion.places?.note(self, at: conversion.path)
    return true
  }
}
