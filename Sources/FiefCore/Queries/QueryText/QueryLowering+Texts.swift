import Foundation

extension QueryLowering {
  /// Converts text that a user typed to a value of the type.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` if the text is not a value of the type.
  func value(of text: String, for type: ColumnType?, at start: Int) throws -> QueryValue {
    if let value = value(of: text, for: type) { return value }
    throw source.error(
      .invalidQuery,
      "The argument is not a value of the property's type.",
      at: start,
      found: HiddenValue.text("'\(text.prefix(60))'", summary: "a string of \(HiddenValue.length(of: text))"),
      expected: "a value of type \(type.map { "\($0)" } ?? "the property")"
    )
  }

  /// Returns the object of a type whose key is given as text.
  func object(_ type: String, key text: String, at start: Int) throws -> QueryValue {
    do { return .object(type: type, key: try schema.key(type, text)) } catch {
      guard let error = error as? FiefError else { throw error }
      throw source.error(
        error.code == .unknownType ? .unknownType : .invalidQuery,
        "The text is not a key of the type.",
        at: start,
        type: type,
        details: [error.message] + error.lines
      )
    }
  }

  /// Returns the nearest float if it has the same digits as the number, or the number itself otherwise.
  ///
  /// 0.1 is a float in this sense. 16,777,217 is not, because the nearest float is 16,777,216.
  static func float(_ number: Double) -> Double {
    let nearest = Double(Float(number))
    guard nearest.isFinite, let digits = DecimalText("\(number)")?.digits.count, digits > 0 else {
      return number
    }
    let text = String(format: "%.\(digits - 1)e", nearest)
    return Double(text) == number ? nearest : number
  }

  /// Returns the value of a text, or `nil` if the text does not represent a value of the type.
  func value(of text: String, for type: ColumnType?) -> QueryValue? {
    guard let type else { return QueryValue(typed: text, .any) }
    guard type.kind == .link else {
      let value = QueryValue(typed: text, type.kind)
      if type.kind == .float, case .double(let number)? = value { return .double(Self.float(number)) }
      return value
    }
    if ["nil", "null"].contains(text.lowercased()) { return .null }
    guard let target = type.target, schema.isKnown, let key = try? schema.key(target, text) else {
      return nil
    }
    return .object(type: target, key: key)
  }
}
