import Foundation

extension QueryLowering {
  /// An operand that is compared with a property of a type.
  ///
  /// A text in quotes that is compared with a date, an identifier or a link becomes one; compared with a number
  /// it remains a text, which is an error later. A number next to a decimal becomes the decimal that it is written
  /// as, and next to a float the float that has its digits: no double and no float is 0.1 exactly. An argument typed by a
  /// user has the kind of the property.
  func operand(_ syntax: QuerySyntax, for type: ColumnType?, _ context: Context) throws -> QueryOperand {
    switch syntax {
    case .untyped(let text, let start):
      guard let value = value(of: text, for: type) else {
        throw source.error(
          .invalidQuery,
          "The argument is no value of the property's type.",
          at: start,
          found: HiddenValue.text(
            "'\(text.prefix(60))'",
            summary: "a text of \(HiddenValue.length(of: text))"
          ),
          expected: "a value of type \(type.map { "\($0)" } ?? "the property")"
        )
      }
      return .value(value)
    case .value(.integer(let number)) where type?.kind == .bool && (number == 0 || number == 1):
      return .value(.bool(number == 1))
    case .value(.double(let number)) where type?.kind == .float,
      .longNumber(let number, _) where type?.kind == .float:
      return .value(.double(Self.float(number)))
    case .longNumber(_, let decimal) where type?.kind == .decimal: return .value(.decimal(decimal))
    case .value(.double(let number)) where type?.kind == .decimal:
      return .value(ExactNumbers.written(number).map { QueryValue.decimal($0) } ?? .double(number))
    case .negative(let inner) where type?.kind == .decimal:
      return .negative(try operand(inner, for: type, context))
    case .arithmetic(let left, let arithmetic, let right) where type?.kind == .decimal:
      return .arithmetic(
        try operand(left, for: type, context),
        arithmetic,
        try operand(right, for: type, context)
      )
    case .value(.string(let text)):
      switch type?.kind {
      case .date, .uuid, .objectId, .link:
        guard let type, let value = value(of: text, for: type) else {
          return .value(.string(text))
        }
        return .value(value)
      default: return .value(.string(text))
      }
    case .key(let typeName, let text, let start):
      do { return .value(.object(type: typeName, key: try schema.key(typeName, text))) } catch {
        guard let error = error as? FiefError else { throw error }
        throw source.error(
          error.code == .unknownType ? .unknownType : .invalidQuery,
          "The text is no key of the type.",
          at: start,
          type: typeName,
          details: [error.message] + error.lines
        )
      }
    default: return try operand(syntax, context).0
    }
  }

  /// The nearest float, if it is the number in as many digits as the number has; otherwise the number itself.
  ///
  /// 0.1 is a float in this sense. 16,777,217 is not, because the nearest float is 16,777,216.
  private static func float(_ number: Double) -> Double {
    let nearest = Double(Float(number))
    guard nearest.isFinite, let digits = DecimalText("\(number)")?.digits.count, digits > 0 else {
      return number
    }
    let text = String(format: "%.\(digits - 1)e", nearest)
    return Double(text) == number ? nearest : number
  }

  /// The value of a text; nil where it is none of the type's.
  private func value(of text: String, for type: ColumnType?) -> QueryValue? {
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
  /// The value of a kind for a text typed by a user; nil where it is none.
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
    if let integer = Int64(text) { return .integer(integer) }
    return (FloatText.double(named: text) ?? Double(text)).map { .double($0) }
  }

  /// A text that meets nothing with a type: a number, a truth value, nil, or the text.
  private static func plain(_ text: String) -> QueryValue {
    if let integer = Int64(text) { return .integer(integer) }
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
