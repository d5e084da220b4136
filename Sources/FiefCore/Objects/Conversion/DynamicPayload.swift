import Foundation

/// Payloads of columns whose Swift type is unknown. Values are `Any`, interpreted by the type in the
/// catalogue.
package enum DynamicPayload {
  /// A link as a value: the type and key of the linked object.
  struct Link: Sendable, Hashable {
    let type: String
    let key: ObjectKey
  }

  /// Returns the value of a payload: a scalar, a ``Link``, the bytes of an embedded record, or an array or
  /// dictionary of these. Returns `nil` for nil.
  package static func value(_ payload: UnsafeRawBufferPointer?, type: ColumnType) throws -> Any? {
    guard type.container != .none else { return try payload.flatMap { try scalar($0, type: type) } }
    var list: [Any?] = []
    var map: [String: Any?] = [:]
    if let payload {
      try CollectionPayload.forEach(payload, type: type) { key, element in
        let value = try element.flatMap { try scalar($0, type: type) }
        if let key { try add(value, key, to: &map) } else { list.append(value) }
      }
    }
    return type.container == .map ? map : list
  }

  /// - Throws: ``FiefError`` of code `invalidValue` if the dictionary has a key that Swift considers equal.
  package static func add(_ value: Any?, _ key: UnsafeRawBufferPointer, to map: inout [String: Any?])
    throws(FiefError)
  {
    guard map.updateValue(value, forKey: String(decoding: key, as: UTF8.self)) == nil else {
      throw ValueConversion().heldEqual
    }
  }

  private static func scalar(_ payload: UnsafeRawBufferPointer, type: ColumnType) throws -> Any? {
    var reader = ValueReader(payload, context: nil)
    switch type.kind {
    case .bool: return try Bool._readElement(from: &reader)
    case .int8: return try Int8._readElement(from: &reader).map { Int($0) }
    case .int16: return try Int16._readElement(from: &reader).map { Int($0) }
    case .int32: return try Int32._readElement(from: &reader).map { Int($0) }
    case .int64: return try Int._readElement(from: &reader)
    case .float: return try Float._readElement(from: &reader)
    case .double: return try Double._readElement(from: &reader)
    case .string: return try String._readElement(from: &reader)
    case .data: return try Data._readElement(from: &reader)
    case .date: return try Date._readElement(from: &reader)
    case .uuid: return try UUID._readElement(from: &reader)
    case .objectId: return try ObjectId._readElement(from: &reader)
    case .decimal: return try Decimal._readElement(from: &reader)
    case .any: return try AnyRealmValue._readElement(from: &reader)
    case .link: return Link(type: type.target ?? "", key: ObjectKey(payload))
    case .embedded: return [UInt8](payload)
    case .linkingObjects: return nil
    }
  }

  /// Appends the payload of one value that is neither nil nor an object.
  package static func append(
    _ value: Any,
    type: ColumnType,
    _ conversion: ValueConversion,
    to writer: inout ValueWriter
  ) throws {
    switch type.kind {
    case .bool: try conversion.bool(value)._appendElement(to: &writer)
    case .int8: try conversion.integer(value, Int8.self)._appendElement(to: &writer)
    case .int16: try conversion.integer(value, Int16.self)._appendElement(to: &writer)
    case .int32: try conversion.integer(value, Int32.self)._appendElement(to: &writer)
    case .int64: try conversion.integer(value, Int.self)._appendElement(to: &writer)
    case .float: try conversion.float(value)._appendElement(to: &writer)
    case .double: try conversion.double(value)._appendElement(to: &writer)
    case .string: try conversion.string(value)._appendElement(to: &writer)
    case .data: try conversion.data(value)._appendElement(to: &writer)
    case .date: try conversion.date(value)._appendElement(to: &writer)
    case .uuid: try conversion.uuid(value)._appendElement(to: &writer)
    case .objectId: try conversion.objectId(value)._appendElement(to: &writer)
    case .decimal: try conversion.decimal(value)._appendElement(to: &writer)
    case .any: try AnyRealmValue._convertElement(value, conversion)._appendElement(to: &writer)
    case .link, .embedded:
      throw conversion.wrongType(value, expected: "an object of \(type.target ?? "the type")")
    case .linkingObjects:
      throw conversion.error(.invalidValue, "An inverse cannot be assigned.")
    }
  }
}
