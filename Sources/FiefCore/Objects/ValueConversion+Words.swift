/// The names of values and types in errors about a document, which use JSON's terms rather than Swift's.
extension ValueConversion {
  /// Returns the name of an expected type: JSON's term for a document, and Swift's otherwise.
  func expectation(_ swiftName: String) -> String {
    guard isJSON else { return swiftName }
    switch swiftName {
    case "Bool": return "true or false"
    case "Int", "Int64": return "a whole number"
    case "Int8": return Self.range(Int8.self)
    case "Int16": return Self.range(Int16.self)
    case "Int32": return Self.range(Int32.self)
    case "Float", "Double", "Decimal": return "a number"
    case "String": return "a string"
    case _ where swiftName.hasPrefix("Data"): return "a string in Base64"
    case _ where swiftName.hasPrefix("an array of "): return "an array"
    case _ where swiftName.hasPrefix("a dictionary"): return "an object"
    case "UUID": return "a UUID"
    case "ObjectId": return "an object id of 24 hexadecimal digits"
    case _ where swiftName.hasPrefix("Date"): return "a date" + swiftName.dropFirst("Date".count)
    default: return swiftName
    }
  }

  private static func range<Number: FixedWidthInteger>(_ type: Number.Type) -> String {
    "a whole number from \(Number.min) to \(Number.max)"
  }

  /// Returns the kind of a found value in the terms of a document.
  static func documentKind(of value: Any) -> String {
    switch value {
    case is Bool: "true or false"
    case is JSONNumber, is any BinaryInteger, is any BinaryFloatingPoint: "a number"
    case is String: "a string"
    case is JSONObject, is [String: Any]: "an object"
    case is [Any]: "an array"
    default: "a value"
    }
  }
}
