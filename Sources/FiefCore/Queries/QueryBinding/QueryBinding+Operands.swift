import Foundation

extension QueryBinding {
  func operand(_ operand: QueryOperand) throws -> RowOperand {
    try nested {
      switch operand {
      case .value(let value): try constant(value)
      case .path(let path): try value(path)
      case .arithmetic(let first, let operation, let second):
        try arithmetic(first, operation, second)
      case .negative(let operand): try negative(operand)
      case .count(let collection, let condition): try count(collection, condition)
      case .aggregate(let aggregate, let collection, let path):
        try self.aggregate(aggregate, collection, path)
      case .length(let operand): folded(LengthOperand(try text(operand, orData: true)), operand)
      case .typeName(let path): try typeName(path)
      case .lowercased(let operand): folded(CasedOperand(try text(operand), isUpper: false), operand)
      case .uppercased(let operand): folded(CasedOperand(try text(operand), isUpper: true), operand)
      case .coalesced(let first, let second): try coalesced(first, second)
      case .conditional(let condition, let first, let second): try conditional(condition, first, second)
      case .truth(let condition): TruthOperand(try self.condition(condition))
      }
    }
  }

  private func typeName(_ path: QueryPath) throws -> RowOperand {
    let value = try value(path)
    guard value.kind == .any else {
      throw binder.invalid("Only a value of any type has a type name.", property: path.text)
    }
    return TypeNameOperand(value)
  }

  private func number(_ operand: QueryOperand) throws -> RowOperand {
    let bound = try self.operand(operand)
    guard let kind = bound.kind, kind != .any, ValueClass(kind) != .number else { return bound }
    throw binder.invalid(
      "Only numbers support arithmetic.",
      property: Self.property(of: operand),
      details: ["the operand: \(ValueClass(kind).rawValue)"]
    )
  }

  private func arithmetic(
    _ first: QueryOperand,
    _ operation: QueryArithmetic,
    _ second: QueryOperand
  ) throws -> RowOperand {
    let left = try number(first)
    let right = try number(second)
    guard let kind1 = left.kind, let kind2 = right.kind else { return ConstantOperand(.null, kind: nil) }
    let kind = Self.commonNumber(kind1, kind2)
    if let first = left.constant, let second = right.constant {
      let written = RowArithmetic.value(
        left.writtenConstant ?? first,
        operation,
        right.writtenConstant ?? second
      )
      return ConstantOperand(RowArithmetic.value(first, operation, second), written: written, kind: kind)
    }
    return ArithmeticOperand(left, operation, right, kind: kind)
  }

  private func negative(_ operand: QueryOperand) throws -> RowOperand {
    let bound = try number(operand)
    guard let constant = bound.constant, let kind = bound.kind else { return NegativeOperand(bound) }
    return ConstantOperand(
      RowArithmetic.negative(constant),
      written: RowArithmetic.negative(bound.writtenConstant ?? constant),
      kind: kind
    )
  }

  private func text(_ operand: QueryOperand, orData: Bool = false) throws -> RowOperand {
    let bound = try self.operand(operand)
    switch bound.kind {
    case nil, .string?, .any?: return bound
    case .data? where orData: return bound
    default:
      throw binder.invalid(
        orData ? "Only strings and data have a length." : "Only strings have upper and lower case.",
        property: Self.property(of: operand)
      )
    }
  }

  /// Returns a constant if the operand does not depend on a row, and the operand itself otherwise.
  private func folded(_ bound: RowOperand, _ operand: QueryOperand) -> RowOperand {
    guard case .value(let value) = operand else { return bound }
    switch (value, bound) {
    case (.string(let text), is LengthOperand):
      return ConstantOperand(.integer(Int128(text.count)), kind: .int64)
    case (.data(let bytes), is LengthOperand):
      return ConstantOperand(.integer(Int128(bytes.count)), kind: .int64)
    default: return bound
    }
  }

  private func coalesced(_ first: QueryOperand, _ second: QueryOperand) throws -> RowOperand {
    let left = try operand(first)
    let right = try operand(second)
    let kind = try commonKind(left, right, property: Self.property(of: first) ?? Self.property(of: second))
    if let constant = left.constant { return constant.isNull ? right : left }
    return CoalescedOperand(left, right, kind: kind)
  }

  private func conditional(_ condition: QueryCondition, _ first: QueryOperand, _ second: QueryOperand) throws
    -> RowOperand
  {
    let left = try operand(first)
    let right = try operand(second)
    let kind = try commonKind(left, right, property: Self.property(of: first) ?? Self.property(of: second))
    let condition = try self.condition(condition)
    if let constant = condition.constant { return constant ? left : right }
    return ConditionalOperand(condition, left, right, kind: kind)
  }

  /// Returns the common kind of two operands, one of which provides a value.
  private func commonKind(_ first: RowOperand, _ second: RowOperand, property: String?) throws
    -> ColumnType.Kind?
  {
    guard let kind1 = first.kind, let kind2 = second.kind else { return first.kind ?? second.kind }
    let class1 = ValueClass(kind1)
    let class2 = ValueClass(kind2)
    if class1 == .number, class2 == .number { return Self.commonNumber(kind1, kind2) }
    if class1 == class2, first.target == second.target { return kind1 }
    if class1.isScalar, class2.isScalar, class1 == .any || class2 == .any { return .any }
    throw binder.invalid(
      "The two values are of different types.",
      property: property,
      details: ["the types: \(class1.rawValue), \(class2.rawValue)"]
    )
  }

  private static func commonNumber(_ first: ColumnType.Kind, _ second: ColumnType.Kind) -> ColumnType.Kind {
    if first == .any || second == .any { return .any }
    if first == .decimal || second == .decimal { return .decimal }
    return first.isInteger && second.isInteger ? .int64 : .double
  }

  func constant(_ value: QueryValue) throws -> RowOperand {
    var target: UInt32 = 0
    let value = try binder.tables.stored(value)
    if case .object(let type, _) = value {
      guard let table = binder.tables[type] else {
        throw FiefError(
          .unknownType,
          "The type does not belong to the store.",
          store: binder.tables.storeName,
          type: type
        )
      }
      target = table.entry.id
    }
    let storage = StableBytes(value.bytes)
    let row = RowValue(value, bytes: storage.bytes, target: target)
    return ConstantOperand(row, kind: value.kind, target: target, storage: storage)
  }
}
