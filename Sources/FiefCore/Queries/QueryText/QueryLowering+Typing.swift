// A literal is converted to the type of the operand with which it is compared or combined.

import Foundation

extension QueryLowering {
  /// An operand of a condition, with the syntax from which it was lowered.
  struct LoweredOperand {
    let syntax: QuerySyntax
    let operand: QueryOperand
    /// The type of the values, if a property or a decimal determines it.
    let type: ColumnType?

    /// Whether the literals in this operand are converted to the type of another operand.
    func takes(_ other: ColumnType?) -> Bool {
      guard let other else { return false }
      return type == nil || other.kind == .decimal && decimal == nil
    }

    /// The type, if it is a decimal.
    var decimal: ColumnType? { type?.kind == .decimal ? type : nil }

    /// Returns the common type of this operand and another one.
    func typeOfEither(_ other: LoweredOperand) -> ColumnType? {
      if let any = [self, other].compactMap(\.type).first(where: { $0.kind == .any }) { return any }
      return decimal ?? other.decimal ?? type ?? other.type
    }
  }

  func lowered(_ syntax: QuerySyntax, _ context: Context) throws -> LoweredOperand {
    let (operand, type) = try operand(syntax, context)
    return LoweredOperand(syntax: syntax, operand: operand, type: type)
  }

  /// Returns two operands, with the literals of each converted to the type of the other.
  func operands(_ first: LoweredOperand, _ second: LoweredOperand) throws -> (QueryOperand, QueryOperand) {
    (try operand(first, beside: second), try operand(second, beside: first))
  }

  /// Returns an operand with its literals converted to the type of the operand beside it.
  func operand(_ lowered: LoweredOperand, beside other: LoweredOperand) throws -> QueryOperand {
    guard let type = other.type, lowered.takes(type) else { return lowered.operand }
    var path: QueryPath?
    if type.isAnyValue, case .path(let value) = other.operand { path = value }
    return try typed(lowered.operand, of: lowered.syntax, type, beside: path)
  }

  /// Returns a number with more digits than a double has, as the nearest double and as the exact decimal.
  private static func longNumber(_ syntax: QuerySyntax) -> (Double, Decimal)? {
    switch syntax {
    case .longNumber(let number, let decimal): return (number, decimal)
    case .untyped(let text, _):
      guard case .double(let number)? = QueryValue(typed: text, .any),
        let decimal = QueryParser.decimal(text, unlike: number)
      else { return nil }
      return (number, decimal)
    default: return nil
    }
  }

  /// Returns an operand with its literals converted to a type.
  func operand(_ lowered: LoweredOperand, for type: ColumnType?) throws -> QueryOperand {
    guard let type, lowered.takes(type) else { return lowered.operand }
    return try typed(lowered.operand, of: lowered.syntax, type)
  }

  /// Converts the literals of an operand that is already lowered to a type. Lowering the operand again would
  /// double the time at each level.
  ///
  /// A quoted text that is compared with a date, an identifier or a link is converted to this type. Compared
  /// with a number it remains a text, which results in an error later. A number compared with a decimal
  /// becomes the decimal with the digits that were written, and a number compared with a float becomes the
  /// float with the same digits, because neither a double nor a float can represent 0.1 exactly. An argument
  /// typed by a user is converted to the kind of the property.
  ///
  /// - Parameter path: the `AnyRealmValue` with which the operand is compared, if it is a property.
  private func typed(
    _ operand: QueryOperand,
    of syntax: QuerySyntax,
    _ type: ColumnType,
    beside path: QueryPath? = nil
  ) throws -> QueryOperand {
    if let path, let (number, decimal) = Self.longNumber(syntax) {
      // Only a decimal can represent all digits of the number.
      let isDecimal = QueryCondition.comparison(.typeName(path), .equal, .value(.string("decimal")))
      return .conditional(isDecimal, .value(.decimal(decimal)), .value(.double(number)))
    }
    switch (syntax, operand) {
    case (.untyped(let text, let start), _): return .value(try value(of: text, for: type, at: start))
    case (.value(let value), _): return .value(self.value(value, for: type))
    case (.longNumber(_, let decimal), _) where type.kind == .decimal: return .value(.decimal(decimal))
    case (.longNumber(let number, _), _): return .value(value(.double(number), for: type))
    case (.negative(let inner), .negative(let operand)) where type.kind == .decimal:
      return .negative(try typed(operand, of: inner, type))
    case (.arithmetic(let left, _, let right), .arithmetic(let first, let arithmetic, let second))
    where type.kind == .decimal:
      return .arithmetic(try typed(first, of: left, type), arithmetic, try typed(second, of: right, type))
    case (.coalesced(let left, let right), .coalesced(let first, let second)):
      return .coalesced(
        try typed(first, of: left, type, beside: path),
        try typed(second, of: right, type, beside: path)
      )
    case (.conditional(_, let left, let right), .conditional(let condition, let first, let second)):
      return .conditional(
        condition,
        try typed(first, of: left, type, beside: path),
        try typed(second, of: right, type, beside: path)
      )
    default: return operand
    }
  }

  /// Returns the value of a literal that is compared with an operand of a type.
  private func value(_ value: QueryValue, for type: ColumnType) -> QueryValue {
    switch (value, type.kind) {
    case (.integer(let number), .bool) where number == 0 || number == 1: return .bool(number == 1)
    case (.double(let number), .float): return .double(Self.float(number))
    case (.double(let number), .decimal): return ExactNumbers.written(number).map { .decimal($0) } ?? value
    case (.string(let text), .date), (.string(let text), .uuid), (.string(let text), .objectId),
      (.string(let text), .link):
      return self.value(of: text, for: type) ?? value
    default: return value
    }
  }
}
