import Foundation
import LMDB

extension QueryValue {
  /// Converts an application's value to the value to use in a query.
  ///
  /// Enumerations and custom types become their stored forms, and objects become their keys.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if no property can have such a value.
  package init(_ value: Any) throws {
    self =
      switch value {
      case let value as QueryValue: value
      case let value as Bool: .bool(value)
      case let value as Int: .integer(Int64(value))
      case let value as String: .string(value)
      case let value as Double: .double(value)
      case let value as Float: .double(Double(value))
      case let value as Decimal: .decimal(value)
      case let value as Date: .date(value.timeIntervalSinceReferenceDate)
      case let value as Data: .data([UInt8](value))
      case let value as UUID: .uuid(value)
      case let value as ObjectId: .objectId(value)
      case let value as ObjectBase: try .init(object: value)
      case let value as AnyRealmValue: try .init(value)
      case let value as any PersistableEnum: try .init(rawValueOf: value)
      case let value as any PersistableCodable: .string(try PersistedJSON.text(of: value))
      case let value as any _CustomPersistable: try .init(value.persistableValue)
      default: try .init(uncommon: value)
      }
  }

  /// Converts several values of an application to values to use in a query.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if no property can have such a value.
  static func list<Element>(of values: some Sequence<Element>) throws -> [QueryValue] {
    // Lists of keys are long, and determining each element's type takes longer than a lookup.
    // SAFETY: the element type is `Int`.
    if Element.self == Int.self { return values.map { .integer(Int64(unsafeBitCast($0, to: Int.self))) } }
    return try values.map { try QueryValue($0) }
  }

  private init(uncommon value: Any) throws {
    if let optional = value as? any TracedOptional {
      self = try optional.wrappedValue.map { try QueryValue($0) } ?? .null
    } else if let integer = value as? any BinaryInteger {
      // An integer that does not fit an integer column is compared as a decimal with all of its digits.
      if let small = Int64(exactly: integer) {
        self = .integer(small)
      } else if let large = DecimalText("\(integer)")?.decimal {
        self = .decimal(large)
      } else {
        throw Self.unknown(value)
      }
    } else if let bytes = exactly([UInt8].self, value) {
      self = .data(bytes)
    } else if let text = value as? Substring {
      self = .string(String(text))
    } else if let character = value as? Character {
      self = .string(String(character))
    } else if value is NSNull {
      self = .null
    } else {
      throw Self.unknown(value)
    }
  }

  private init(rawValueOf value: some PersistableEnum) throws { self = try QueryValue(value.rawValue) }

  private init(_ value: AnyRealmValue) throws {
    self =
      switch value {
      case .none: .null
      case .int(let value): .integer(Int64(value))
      case .bool(let value): .bool(value)
      case .float(let value): .double(Double(value))
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      case .data(let value): .data([UInt8](value))
      case .date(let value): .date(value.timeIntervalSinceReferenceDate)
      case .objectId(let value): .objectId(value)
      case .decimal128(let value): .decimal(value)
      case .uuid(let value): .uuid(value)
      case .list, .dictionary: try .init(nested: value)
      case .object(let object): try .init(object: object)
      }
  }

  private init(nested value: AnyRealmValue) throws {
    var writer = ValueWriter()
    do { try value._append(to: &writer) } catch {
      throw FiefError(.invalidQuery, "The value of any type cannot be compared.", underlying: error)
    }
    self = .nested(writer.bytes)
  }

  private init(object: ObjectBase) throws {
    guard !(object is EmbeddedObject) else { throw Self.unknown(object) }
    let type = Swift.type(of: object)
    self = .object(type: type.className(), key: try object.keyInQueries)
  }

  private static func unknown(_ value: Any) -> FiefError {
    FiefError(
      .invalidQuery,
      "A value of this type cannot be compared.",
      details: ["found: \(ValueConversion.summary(of: value))"]
    )
  }
}

extension QueryValue {
  /// Creates the value of a kind from a text typed by a user. Returns `nil` if the text does not represent
  /// such a value.
  init?(typed text: String, _ kind: ColumnType.Kind) {
    let value: QueryValue? =
      switch kind {
      case .string: .string(text)
      case .any: Self.plain(text)
      case _ where ["nil", "null"].contains(text.lowercased()): .null
      case .bool: Self.truth(text)
      case .int8, .int16, .int32, .int64, .float, .double: Self.number(text)
      case .decimal: QueryParser.decimal(text).map { .decimal($0) }
      case .data: Data(base64Encoded: text).map { .data([UInt8]($0)) }
      case .date: DateText.date(text).map { .date($0.timeIntervalSinceReferenceDate) }
      case .uuid: UUID(uuidString: text).map { .uuid($0) }
      case .objectId: ObjectId(text).map { .objectId($0) }
      case .link, .embedded, .linkingObjects: nil
      }
    guard let value else { return nil }
    self = value
  }

  private static func truth(_ text: String) -> QueryValue? {
    switch text.lowercased() {
    case "true", "yes", "1": .bool(true)
    case "false", "no", "0": .bool(false)
    default: nil
    }
  }

  private static func number(_ text: String) -> QueryValue? {
    if let integer = integer(text) { return integer }
    return (FloatText.double(named: text) ?? Double(text)).map { .double($0) }
  }

  /// Returns the integer that a text represents. An integer of more than 64 bits becomes a decimal, as in the
  /// text of a query.
  private static func integer(_ text: String) -> QueryValue? {
    if let integer = Int64(text) { return .integer(integer) }
    guard text.drop(while: { $0 == "-" }).utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return QueryParser.decimal(text).map { .decimal($0) }
  }

  /// Returns the value of a text that is not compared with a typed operand: a number, a Boolean, nil, or the
  /// text itself.
  private static func plain(_ text: String) -> QueryValue {
    if let integer = integer(text) { return integer }
    if let first = text.utf8.first, (0x2B...0x39).contains(first), let double = Double(text), double.isFinite
    {
      return .double(double)
    }
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "nil": return .null
    default: return .string(text)
    }
  }
}
