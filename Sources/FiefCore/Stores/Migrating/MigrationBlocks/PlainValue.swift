import Foundation

/// Converts values of the application's types to the form in which a store contains them.
enum PlainValue {
  /// Converts enumerations to their raw values and custom types to their stored forms. Other values are
  /// returned unchanged.
  static func stored(_ value: Any) throws -> Any {
    switch value {
    case is Int, is String, is Double, is Bool, is Date, is Data, is Float: return value
    case _ where Swift.type(of: value) is AnyClass && (value is MigrationObject || value is ObjectBase):
      return value
    default: break
    }
    if let optional = value as? any OptionalValue {
      guard let contained = optional.containedValue else { return value }
      return try stored(contained)
    }
    if let embedded = QueryEmbedded.object(in: value) { return embedded }
    if let value = value as? any RealmCollectionValue {
      var writer = ValueWriter()
      let type = Swift.type(of: value)._elementType
      try value._appendElement(to: &writer)
      return try writer.withBytes { try DynamicPayload.value($0, type: type) } ?? value
    }
    if let value = value as? any RawRepresentable { return value.rawValue }
    return value
  }

  /// Returns the elements of a list, a set or another sequence as an array, or `nil` for any other value.
  static func elements(_ value: Any) -> [Any?]? {
    if let elements = value as? [Any?] { return elements }
    guard !(value is String), !(value is Data), let sequence = value as? any Sequence else { return nil }
    func array(_ sequence: some Sequence) -> [Any?] { sequence.map { $0 as Any? } }
    return array(sequence)
  }

  /// Returns the entries of a map or a dictionary, or `nil` for any other value.
  static func entries(_ value: Any) -> [JSONObject.Member]? {
    (value as? [String: Any?])?.map { JSONObject.Member(name: $0.key, value: $0.value as Any) }
      ?? (value as? any PlainMap)?.plainEntries
  }
}

private protocol PlainMap {
  var plainEntries: [JSONObject.Member] { get }
}

extension Map: PlainMap {
  fileprivate var plainEntries: [JSONObject.Member] {
    map { JSONObject.Member(name: $0.key, value: $0.value) }
  }
}

extension Migration {
  /// Adds an object of a class to the store, with the objects to which it links. If the object was already
  /// added, returns the existing one.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` if the migration does not use the class, `foreignObject`
  ///   if the object belongs to a store, or `duplicatePrimaryKey` if the key exists.
  func copy(of object: Object, in stage: MigrationStage) throws -> MigrationObject {
    if let known = stage.copies[ObjectIdentifier(object)] { return known.copy }
    let descriptor = object.descriptor
    guard let own = stage.descriptor(descriptor.name), own.type == descriptor.type else {
      throw unknownType(descriptor.name)
    }
    guard object._context?.store == nil else {
      throw FiefError(
        .foreignObject,
        "The object was read from a store; pass a detached copy to the migration.",
        store: configuration.name,
        type: descriptor.name
      )
    }
    if object._hasNotes { try ConversionErrors.check(object, store: configuration.name) }
    var values: [String: Any] = [:]
    var links: [(column: String, value: Any)] = []
    for property in descriptor.properties where property.access != .none {
      let value = object.value(of: property)
      if property.type.kind == .link || property.type.kind == .embedded {
        links.append((property.column, value))
      } else {
        values[property.column] = value
      }
    }
    let copy = try make(descriptor.name, values: values, in: stage)
    // The object is recorded before its links are followed, because links and embedded objects may refer back
    // to it.
    stage.copies[ObjectIdentifier(object)] = (object, copy)
    for link in links where !ValueConversion.isNil(link.value) { try copy.set(link.value, link.column) }
    return copy
  }
}
