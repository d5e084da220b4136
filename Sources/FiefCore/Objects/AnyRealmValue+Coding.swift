// The underscored requirements are internal to the library; their protocols document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// The payload of an `AnyRealmValue` is one byte for its kind, followed by the payload of the value. An empty
/// payload is `.none`. The kinds are the kinds of columns and ``NestedKind``.
extension AnyRealmValue: Persistable, RealmCollectionValue {
  public static var _elementType: ColumnType { ColumnType(.any) }
  public static func _defaultValue() -> AnyRealmValue { .none }

  public static var _actsOnFirstRead: Bool { true }
  public static var _attachesToOwner: Bool { true }
  public var _hasObjects: Bool { hasObject }

  public func _withoutDeletedObjects() -> AnyRealmValue {
    mappingObjects { $0._wasDeleted ? nil : $0 }
  }

  public static func _firstRead(_ value: inout AnyRealmValue, of owner: ObjectBase, at offset: Int) {
    guard owner.isDeferred(at: offset) else { return }
    value = owner.withDeferredPayload(at: offset) { try _read(from: &$0) } ?? .none
    value._adopt(by: owner)
  }

  // An unread property becomes `.none` here. `encode(to:)` then reports that an object cannot be encoded.
  public static func _deferred(_ source: _DeferredValue) -> AnyRealmValue? {
    try? source.read { try _read(from: &$0) }
  }

  public static func _assigned(_ newValue: AnyRealmValue, to owner: ObjectBase) -> AnyRealmValue {
    newValue._adopt(by: owner)
    return newValue
  }

  public func _adopt(by owner: ObjectBase) {
    guard hasObject else { return }
    owner._holdsObjects = true
    if owner._hasNotes { CopiedLinks.noteAssignment(of: objects, to: owner) }
  }

  private var scalar: (kind: ColumnType.Kind, value: any RealmCollectionValue)? {
    switch self {
    case .none, .list, .dictionary, .object: nil
    case .int(let value): (.int64, value)
    case .bool(let value): (.bool, value)
    case .float(let value): (.float, value)
    case .double(let value): (.double, value)
    case .string(let value): (.string, value)
    case .data(let value): (.data, value)
    case .date(let value): (.date, value)
    case .objectId(let value): (.objectId, value)
    case .decimal128(let value): (.decimal, value)
    case .uuid(let value): (.uuid, value)
    }
  }

  public func _appendElement(to writer: inout _ValueWriter) throws { try append(depth: 0, to: &writer) }

  func append(depth: Int, to writer: inout ValueWriter) throws {
    guard let (kind, value) = scalar else { return try appendNested(depth: depth, to: &writer) }
    writer.appendInteger(kind.rawValue)
    try value._appendElement(to: &writer)
  }

  public static func _read(from reader: inout _ValueReader) throws -> AnyRealmValue {
    try _readElement(from: &reader) ?? .none
  }

  public static func _readElement(from reader: inout _ValueReader) throws -> AnyRealmValue? {
    try read(depth: 0, from: &reader)
  }

  static func read(depth: Int, from reader: inout ValueReader) throws -> AnyRealmValue? {
    if reader.isAtEnd { return AnyRealmValue.none }
    let number = try reader.integer(UInt8.self)
    if let kind = NestedKind(rawValue: number) { return try readNested(kind, depth: depth, from: &reader) }
    switch ColumnType.Kind(rawValue: number) {
    case .int64: return try Int._readElement(from: &reader).map(AnyRealmValue.int)
    case .bool: return try Bool._readElement(from: &reader).map(AnyRealmValue.bool)
    case .float: return try Float._readElement(from: &reader).map(AnyRealmValue.float)
    case .double: return try Double._readElement(from: &reader).map(AnyRealmValue.double)
    case .string: return try String._readElement(from: &reader).map(AnyRealmValue.string)
    case .data: return try Data._readElement(from: &reader).map(AnyRealmValue.data)
    case .date: return try Date._readElement(from: &reader).map(AnyRealmValue.date)
    case .objectId: return try ObjectId._readElement(from: &reader).map(AnyRealmValue.objectId)
    case .decimal: return try Decimal._readElement(from: &reader).map(AnyRealmValue.decimal128)
    case .uuid: return try UUID._readElement(from: &reader).map(AnyRealmValue.uuid)
    default: throw FiefError(.damagedRecord, "A value has an unknown kind.")
    }
  }

  public static func _convertElement(_ value: Any, _ conversion: _ValueConversion) throws -> AnyRealmValue {
    try convert(value, depth: 0, conversion)
  }

  static func convert(_ value: Any, depth: Int, _ conversion: ValueConversion) throws -> AnyRealmValue {
    if ValueConversion.isNil(value) { return AnyRealmValue.none }
    switch value {
    case let value as AnyRealmValue: return try conversion.copied(value)
    case let object as JSONObject: return try tagged(object, depth: depth, conversion)
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(value)
    case let value as Int64: return .int(Int(value))
    case is JSONNumber: return .double(try conversion.double(value))
    case let value as Double: return .double(value)
    case let value as Float: return .float(value)
    case let value as String: return .string(value)
    case let value as Data: return .data(value)
    case let value as Date: return .date(value)
    case let value as ObjectId: return .objectId(value)
    case let value as Decimal: return .decimal128(value)
    case let value as UUID: return .uuid(value)
    default:
      if let nested = try convertNested(value, depth: depth, conversion) { return nested }
      throw conversion.wrongType(value, expected: "a value that a property can store")
    }
  }

  /// Converts a value in the form that `Codable` uses for kinds without a JSON form: `{"date": …}`.
  private static func tagged(
    _ object: JSONObject,
    depth: Int,
    _ conversion: ValueConversion
  ) throws -> AnyRealmValue {
    let member = object.members.first
    guard let member, object.members.count == 1, let kind = Case(rawValue: member.name) else {
      throw conversion.wrongType(
        object,
        expected: "a value, or an object with one of the members "
          + Case.allCases.map(\.rawValue).joined(separator: ", ")
      )
    }
    let value = member.value
    switch kind {
    case .float: return .float(try conversion.float(value))
    case .double: return .double(try conversion.double(value))
    case .data: return .data(try conversion.data(value))
    case .date: return .date(try conversion.date(value))
    case .objectId: return .objectId(try conversion.objectId(value))
    case .decimal128: return .decimal128(try conversion.decimal(value))
    case .uuid: return .uuid(try conversion.uuid(value))
    case .dictionary:
      guard let entries = value as? JSONObject else {
        throw conversion.wrongType(value, expected: "an object with the entries of the dictionary")
      }
      return try dictionary(of: entries.members, depth: depth, conversion)
    }
  }
}
