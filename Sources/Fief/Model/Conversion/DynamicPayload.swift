import Foundation

/// Payloads of columns whose Swift type is not known: values as `Any`, by the type in the catalogue.
enum DynamicPayload {
  /// A link as a value: the key of the object that it leads to.
  struct Link: Sendable, Hashable {
    let type: String
    let key: ObjectKey
  }

  /// The value of a payload: a scalar, a ``Link``, the bytes of an embedded record, an array or a
  /// dictionary of them; nil for nil.
  static func value(_ payload: UnsafeRawBufferPointer?, type: ColumnType) throws -> Any? {
    guard type.container != .none else { return try payload.flatMap { try scalar($0, type: type) } }
    var list: [Any?] = []
    var map: [String: Any?] = [:]
    if let payload {
      try CollectionPayload.forEach(payload, type: type) { key, element in
        let value = try element.flatMap { try scalar($0, type: type) }
        if let key { map[String(decoding: key, as: UTF8.self)] = value } else { list.append(value) }
      }
    }
    return type.container == .map ? map : list
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

  /// The payload of a value, nil for nil.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` where the value is not of the column's type.
  static func payload(_ value: Any?, type: ColumnType, _ conversion: ValueConversion) throws -> [UInt8]? {
    guard let value, !ValueConversion.isNil(value) else {
      if type.isOptional || type.container != .none { return nil }
      throw conversion.error(.missingValue, "The property is required.")
    }
    var writer = ValueWriter()
    switch type.container {
    case .none:
      try append(value, type: type, conversion, to: &writer)
    case .list, .set:
      guard let elements = value as? [Any?] else { throw conversion.wrongType(value, expected: "an array") }
      var payload = ValueWriter()
      payload.appendCount(elements.count)
      for (index, element) in elements.enumerated() {
        try appendElement(element, type: type, conversion.element(index), to: &payload)
      }
      return try CollectionPayload.inOrder(payload.bytes, type: type)
    case .map:
      guard let entries = value as? [String: Any?] else {
        throw conversion.wrongType(value, expected: "a dictionary")
      }
      writer.appendCount(entries.count)
      for (key, element) in entries.sorted(by: { $0.key < $1.key }) {
        writer.appendSized { $0.append(key) }
        try appendElement(element, type: type, conversion.element(key), to: &writer)
      }
    }
    return writer.bytes
  }

  private static func appendElement(
    _ element: Any?,
    type: ColumnType,
    _ conversion: ValueConversion,
    to writer: inout ValueWriter
  ) throws {
    let value = element.flatMap { ValueConversion.isNil($0) ? nil : $0 }
    guard value != nil || type.isOptional else {
      throw conversion.error(.missingValue, "The element is required.")
    }
    try CollectionPayload.appendElement(of: type, to: &writer) { writer in
      if type.isOptional { writer.appendInteger(UInt8(value == nil ? 0 : 1)) }
      if let value { try append(value, type: type, conversion, to: &writer) }
    }
  }

  /// Appends the payload of one value that is not nil.
  static func append(
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
    case .link:
      if let link = value as? Link {
        writer.append(link.key.bytes)
      } else if let object = value as? any LinkablePayload {
        writer.append(object.key.bytes)
      } else {
        throw conversion.wrongType(value, expected: "an object of \(type.target ?? "the type")")
      }
    case .embedded:
      guard let record = value as? [UInt8] else {
        throw conversion.wrongType(value, expected: "an embedded object")
      }
      writer.append(record)
    case .linkingObjects:
      throw conversion.error(.invalidValue, "An inverse cannot be assigned.")
    }
  }
}

/// An object that a link can be assigned as, which has its key.
protocol LinkablePayload {
  var key: ObjectKey { get }
}
