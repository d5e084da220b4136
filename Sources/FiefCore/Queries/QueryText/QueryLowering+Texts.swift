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
