extension QueryBinding {
  func comparison(
    _ first: QueryOperand,
    _ comparison: QueryComparison,
    _ second: QueryOperand,
    _ options: QueryTextOptions
  ) throws -> RowCondition {
    try self.comparison(of: try operand(first), comparison, try operand(second), options, first, second)
  }

  /// Creates the condition that compares two bound operands.
  private func comparison(
    of left: RowOperand,
    _ comparison: QueryComparison,
    _ right: RowOperand,
    _ options: QueryTextOptions,
    _ first: QueryOperand,
    _ second: QueryOperand
  ) throws -> RowCondition {
    try check(left, comparison, right, options, first, second)
    if right.constant?.isNull == true, let presence = try presence(of: first, left, comparison) {
      return presence
    }
    if left.constant?.isNull == true, let presence = try presence(of: second, right, comparison) {
      return presence
    }
    // The constant's bytes belong to its operand, which must therefore stay alive.
    return withExtendedLifetime((left, right)) {
      if let constant = right.constant {
        if left.constant != nil { return folded(left, comparison, right, options) }
        if let leaf = LeafCondition.make(left, comparison, constant, options) { return leaf }
      } else if let constant = left.constant, let turned = comparison.mirrored {
        if let leaf = LeafCondition.make(right, turned, constant, options) { return leaf }
      }
      return ComparisonCondition(
        FoldedOperand.make(left, options),
        comparison,
        FoldedOperand.make(right, options)
      )
    }
  }

  /// Compares two constants, and returns the result as a constant condition.
  private func folded(
    _ left: RowOperand,
    _ comparison: QueryComparison,
    _ right: RowOperand,
    _ options: QueryTextOptions
  ) -> RowCondition {
    let first = FoldedOperand.make(left, options)
    let second = FoldedOperand.make(right, options)
    return withExtendedLifetime((first, second)) {
      ConstantCondition(RowValue.holds(first.constant ?? .null, comparison, second.constant ?? .null))
    }
  }

  /// - Throws: ``FiefError`` of code `invalidQuery` if the two operands cannot be compared in this way.
  private func check(
    _ left: RowOperand,
    _ comparison: QueryComparison,
    _ right: RowOperand,
    _ options: QueryTextOptions,
    _ first: QueryOperand,
    _ second: QueryOperand
  ) throws {
    var property: String? { Self.property(of: first) ?? Self.property(of: second) }
    guard let class1 = left.kind.map(ValueClass.init), let class2 = right.kind.map(ValueClass.init) else {
      return  // nil is compared with everything.
    }
    // Computed only for an error, because a list can have many values.
    var details: [String] {
      ["the comparison: \(class1.rawValue) \(comparison.rawValue) \(class2.rawValue)"]
    }
    let isEither = class1 == .any || class2 == .any
    let isComparable = { (kind: ValueClass) in kind.isScalar || kind == .object }
    guard class1 == class2 || isEither && isComparable(class1) && isComparable(class2) else {
      throw binder.invalid("Values of these types cannot be compared.", property: property, details: details)
    }
    if left.isNested || right.isNested {
      // Any other comparison is false for every object, which would hide the mistake.
      guard class1 == class2, comparison == .equal || comparison == .notEqual else {
        throw binder.invalid(
          "A list or a dictionary supports only == and != with a value of any type.",
          property: property,
          details: details
        )
      }
    }
    if isEither, class1 == .object || class2 == .object, comparison != .equal, comparison != .notEqual {
      throw binder.invalid("Objects support only == and !=.", property: property, details: details)
    }
    if class1 == .object, class2 == .object, left.target != right.target {
      throw binder.invalid("Objects of different types cannot be compared.", property: property)
    }
    switch comparison {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith:
      try binder.checkOrder(of: left)
      try binder.checkOrder(of: right)
    case .equal, .notEqual, .contains, .endsWith, .like: break
    }
    let isText = class1 == .text || class1 == .any
    switch comparison {
    case .equal, .notEqual:
      if class1 == .embedded || class1 == .collection {
        throw binder.invalid("A value of this type can only be compared with nil.", property: property)
      }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard class1.isOrdered, class2.isOrdered else {
        throw binder.invalid("Values of this type have no order.", property: property, details: details)
      }
    case .contains, .beginsWith, .endsWith:
      guard isText || class1 == .data else {
        throw binder.invalid("Only strings and data have parts.", property: property, details: details)
      }
    case .like:
      guard isText else {
        throw binder.invalid("Only strings can match a pattern.", property: property, details: details)
      }
    }
    if !options.isEmpty, !isText {
      throw binder.invalid("Only strings have case and diacritics.", property: property, details: details)
    }
  }

  func oneOf(_ operand: QueryOperand, _ values: [QueryValue], _ options: QueryTextOptions) throws
    -> RowCondition
  {
    try oneOf(operand, try self.operand(operand), values, options)
  }

  /// Creates the condition that an operand equals one of several values.
  ///
  /// - Parameter bound: the bound operand. Binding it again would double the time at each level of nested
  ///   conditions.
  private func oneOf(
    _ operand: QueryOperand,
    _ bound: RowOperand,
    _ values: [QueryValue],
    _ options: QueryTextOptions
  ) throws -> RowCondition {
    if let condition = integerSet(bound, values, options) { return condition }
    if values.count == 1 {
      return try comparison(of: bound, .equal, constant(values[0]), options, operand, .value(values[0]))
    }
    let constants = try values.map { value in
      let constant = try self.constant(value)
      try check(bound, .equal, constant, options, operand, .value(value))
      return FoldedOperand.make(constant, options)
    }
    if constants.isEmpty { return ConstantCondition(false) }
    if values.contains(.null), let absence = try presence(of: operand, bound, .equal) {
      let others = try oneOf(operand, bound, values.filter { $0 != .null }, options)
      return JunctionCondition.make(isAll: false, [absence, others])
    }
    let folded = FoldedOperand.make(bound, options)
    if bound.constant != nil { return OneOfCondition(folded, constants) }
    // The constants' bytes belong to their operands, which must therefore stay alive.
    return withExtendedLifetime(constants) { set(bound, folded, constants) }
  }

  /// Creates the condition that an integer column has one of several values, as for a list of keys. Returns
  /// `nil` if the operand is not an integer column or a value is not an integer.
  private func integerSet(
    _ bound: RowOperand,
    _ values: [QueryValue],
    _ options: QueryTextOptions
  ) -> RowCondition? {
    guard values.count > 1, options.isEmpty, bound.kind?.isInteger == true,
      bound is ColumnOperand || bound is FollowedOperand
    else { return nil }
    var integers: [Int64] = []
    integers.reserveCapacity(values.count)
    for value in values {
      guard case .integer(let integer) = value else { return nil }
      integers.append(integer)
    }
    return IntegerSetCondition(bound, integers, hasNil: false)
  }

  /// Creates the condition that a value equals one of several constants.
  private func set(_ bound: RowOperand, _ folded: RowOperand, _ constants: [RowOperand]) -> RowCondition {
    let members = constants.compactMap(\.constant).filter { !$0.isNull }
    let hasNil = members.count < constants.count
    if bound is ColumnOperand || bound is FollowedOperand {
      switch bound.kind {
      case .int8?, .int16?, .int32?, .int64?:
        let integers = members.compactMap { Self.point(NumberInterval<Int64>(.equal, $0)) }
        return IntegerSetCondition(bound, integers, hasNil: hasNil)
      case .float?, .double?, .date?:
        let doubles = members.compactMap { Self.point(NumberInterval<Double>(.equal, $0)) }
        return DoubleSetCondition(bound, doubles, hasNil: hasNil)
      default: break
      }
    }
    switch bound.kind.map(ValueClass.init) {
    case .text?, .data?, .uuid?, .objectId?, .object?:
      return BytesSetCondition(folded, members.compactMap(\.bytes), hasNil: hasNil)
    case .any?: return OneOfCondition(folded, constants + constants.compactMap(Self.decimal))
    default: return OneOfCondition(folded, constants)
    }
  }

  /// Returns a constant double as a decimal with the digits that were written.
  private static func decimal(_ operand: RowOperand) -> RowOperand? {
    guard case .double(let number)? = operand.constant, let decimal = ExactNumbers.written(number) else {
      return nil
    }
    return ConstantOperand(.decimal(decimal), kind: .decimal)
  }

  /// Returns the only value that equals a constant, or `nil` if no value of the type equals it.
  private static func point<Bound>(_ interval: NumberInterval<Bound>?) -> Bound? {
    guard case .within(let range)? = interval else { return nil }
    return range.lowerBound
  }

  /// Returns the name of the property to which an operand refers, for error messages.
  static func property(of operand: QueryOperand) -> String? {
    switch operand {
    case .path(let path), .typeName(let path): path.text
    case .count(let collection, _), .aggregate(_, let collection, _): collection.path.text
    case .arithmetic(let first, _, let second), .coalesced(let first, let second):
      property(of: first) ?? property(of: second)
    case .negative(let operand), .length(let operand), .lowercased(let operand), .uppercased(let operand):
      property(of: operand)
    case .conditional(_, let first, let second): property(of: first) ?? property(of: second)
    case .value, .truth: nil
    }
  }
}

extension QueryPath {
  /// The names of the path joined by dots, or `nil` for the object itself.
  package var text: String? {
    if steps.isEmpty { return nil }
    var text = ""
    for step in steps {
      switch step {
      case .property(let name): text += text.isEmpty ? name : "." + name
      case .mapKey(let key): text += "[\(key)]"
      case .index(let index): text += "[\(index)]"
      }
    }
    return text
  }
}

extension RowValue {
  /// The bytes of a text, data, identifier or object key, or `nil` for other values.
  var bytes: UnsafeRawBufferPointer? {
    switch self {
    case .text(let bytes), .data(let bytes), .uuid(let bytes), .objectId(let bytes), .object(_, let bytes):
      bytes
    default: nil
    }
  }
}

extension RowOperand {
  /// Whether the operand is a constant list or dictionary in an `AnyRealmValue`.
  fileprivate var isNested: Bool {
    if case .nested? = constant { return true }
    return false
  }
}
