import Foundation

/// How values of one type are made from values of another, and what to say where that is impossible.
///
/// Used by `init(value:)`, by `create(_:value:update:)` and by the import of JSON documents. Conversions
/// never lose anything: a number that does not fit is an error, not the nearest one.
public struct ValueConversion {
  /// Where the values come from.
  enum Source: Sendable, Equatable {
    case swift
    case json(JSONOptions)
  }

  var source: Source = .swift
  var store: String?
  var type: String?
  var property: String?
  var key: String?
  /// The way to the value in the document, `$` at its root.
  var path = "$"
  /// Finds or makes the object for a nested value inside a write; nil makes plain new objects.
  var makeObject: ((ObjectBase.Type, Any, ValueConversion) throws -> ObjectBase)?

  func property(_ name: String, of type: String) -> ValueConversion {
    var result = self
    result.property = name
    result.type = type
    result.path = "\(path).\(name)"
    return result
  }

  func element(_ index: Int) -> ValueConversion {
    var result = self
    result.path = "\(path)[\(index)]"
    return result
  }

  func element(_ key: String) -> ValueConversion {
    var result = self
    result.path = "\(path)[\"\(key)\"]"
    return result
  }

  func error(_ code: FiefError.Code, _ message: String, details: [String] = []) -> FiefError {
    FiefError(
      code,
      message,
      store: store,
      type: type,
      property: property,
      key: key,
      path: path,
      details: details
    )
  }

  func wrongType(_ value: Any, expected: String) -> FiefError {
    error(
      .invalidValue,
      "The value does not fit the property.",
      details: ["expected: \(expected)", "found: \(Self.summary(of: value))"]
    )
  }

  static func summary(of value: Any) -> String {
    if isNil(value) { return "nil" }
    let text = String(String(describing: value).prefix(60))
    return "\(Swift.type(of: value)) (\(text))"
  }

  static func isNil(_ value: Any) -> Bool {
    if value is NSNull { return true }
    if let optional = value as? any OptionalValue { return optional.isNilValue }
    return false
  }

  private var isJSON: Bool { source != .swift }

  func bool(_ value: Any) throws -> Bool {
    guard let result = value as? Bool else { throw wrongType(value, expected: "Bool") }
    return result
  }

  func integer<Value: FixedWidthInteger>(_ value: Any, _ type: Value.Type) throws -> Value {
    if let value = value as? Value { return value }
    if !(value is Bool), let integer = value as? any BinaryInteger {
      if let result = Value(exactly: integer) { return result }
      throw error(.invalidValue, "The number is out of range.", details: ["expected: \(type)", "found: \(value)"])
    }
    if let double = value as? Double, isJSON, let result = Value(exactly: double) { return result }
    throw wrongType(value, expected: "\(type)")
  }

  func double(_ value: Any) throws -> Double {
    if let value = value as? Double { return value }
    if let value = value as? Float { return Double(value) }
    if let value = value as? Decimal { return NSDecimalNumber(decimal: value).doubleValue }
    if !(value is Bool), let integer = value as? any BinaryInteger, let result = Double(exactly: integer) {
      return result
    }
    throw wrongType(value, expected: "Double")
  }

  func float(_ value: Any) throws -> Float {
    if let value = value as? Float { return value }
    let double = try double(value)
    let result = Float(double)
    if result.isInfinite, !double.isInfinite {
      throw error(.invalidValue, "The number is out of range.", details: ["expected: Float", "found: \(value)"])
    }
    return result
  }

  func string(_ value: Any) throws -> String {
    guard let result = value as? String else { throw wrongType(value, expected: "String") }
    return result
  }

  func data(_ value: Any) throws -> Data {
    if let value = value as? Data { return value }
    if let value = value as? [UInt8] { return Data(value) }
    if isJSON, let text = value as? String, let data = Data(base64Encoded: text) { return data }
    throw wrongType(value, expected: isJSON ? "Data (base 64)" : "Data")
  }

  func date(_ value: Any) throws -> Date {
    if let value = value as? Date { return value }
    if case .json(let options) = source, let date = options.date(from: value) { return date }
    throw wrongType(value, expected: isJSON ? "Date (ISO 8601, or seconds since 1970)" : "Date")
  }

  func uuid(_ value: Any) throws -> UUID {
    if let value = value as? UUID { return value }
    if let text = value as? String, let uuid = UUID(uuidString: text) { return uuid }
    throw wrongType(value, expected: "UUID")
  }

  func objectId(_ value: Any) throws -> ObjectId {
    if let value = value as? ObjectId { return value }
    if let text = value as? String, let id = ObjectId(text) { return id }
    throw wrongType(value, expected: "ObjectId")
  }

  func decimal(_ value: Any) throws -> Decimal {
    if let value = value as? Decimal { return value }
    if let value = value as? Int { return Decimal(value) }
    if let value = value as? Int64 { return Decimal(value) }
    if let value = value as? Double, value.isFinite, let exact = Decimal(string: "\(value)") { return exact }
    if let text = value as? String, let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      text.allSatisfy({ $0.isNumber || "+-.eE".contains($0) })
    {
      return decimal
    }
    throw wrongType(value, expected: "Decimal")
  }
}

/// Lets a value of type `Any` be asked whether it is an optional that is nil.
protocol OptionalValue {
  var isNilValue: Bool { get }
}

extension Optional: OptionalValue {
  var isNilValue: Bool {
    switch self {
    case .none: true
    case .some(let wrapped): (wrapped as? any OptionalValue)?.isNilValue ?? false
    }
  }
}
