extension QueryBinding {
  func comparison(
    _ first: QueryOperand,
    _ comparison: QueryComparison,
    _ second: QueryOperand,
    _ options: QueryTextOptions
  ) throws -> RowCondition {
    let left = try operand(first)
    let right = try operand(second)
    try check(left, comparison, right, options, first, second)
    let isFolded = !options.isEmpty
    if let first = left.constant, let second = right.constant, !isFolded {
      return ConstantCondition(RowValue.holds(first, comparison, second))
    }
    return ComparisonCondition(
      isFolded ? FoldedOperand.make(left, options) : left,
      comparison,
      isFolded ? FoldedOperand.make(right, options) : right
    )
  }

  /// - Throws: ``FiefError`` of code `invalidQuery` where the operands cannot be compared like this.
  private func check(
    _ left: RowOperand,
    _ comparison: QueryComparison,
    _ right: RowOperand,
    _ options: QueryTextOptions,
    _ first: QueryOperand,
    _ second: QueryOperand
  ) throws {
    let property = Self.property(of: first) ?? Self.property(of: second)
    guard let class1 = left.kind.map(ValueClass.init), let class2 = right.kind.map(ValueClass.init) else {
      return  // nil is compared with everything.
    }
    let details = ["the comparison: \(class1.rawValue) \(comparison.rawValue) \(class2.rawValue)"]
    let isEither = class1 == .any || class2 == .any
    guard class1 == class2 || isEither && class1.isScalar && class2.isScalar else {
      throw binder.invalid("Values of these types cannot be compared.", property: property, details: details)
    }
    if class1 == .object, class2 == .object, left.target != right.target {
      throw binder.invalid("Objects of different types cannot be compared.", property: property)
    }
    let isText = class1 == .text || class1 == .any
    switch comparison {
    case .equal, .notEqual:
      if class1 == .embedded || class1 == .collection {
        throw binder.invalid("A value of this type is compared with nil only.", property: property)
      }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard class1.isOrdered, class2.isOrdered else {
        throw binder.invalid("Values of this type have no order.", property: property, details: details)
      }
    case .contains, .beginsWith, .endsWith:
      guard isText || class1 == .data else {
        throw binder.invalid("Only texts and data have parts.", property: property, details: details)
      }
    case .like:
      guard isText else {
        throw binder.invalid("Only texts are like a pattern.", property: property, details: details)
      }
    }
    if !options.isEmpty, !isText {
      throw binder.invalid("Case and diacritics are those of texts.", property: property, details: details)
    }
  }

  func oneOf(_ operand: QueryOperand, _ values: [QueryValue], _ options: QueryTextOptions) throws
    -> RowCondition
  {
    JunctionCondition.make(
      isAll: false,
      try values.map { try comparison(operand, .equal, .value($0), options) }
    )
  }

  /// The property that an operand is about, for errors.
  static func property(of operand: QueryOperand) -> String? {
    switch operand {
    case .path(let path): path.text
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
  /// The names with dots between them; nil for the object itself.
  var text: String? {
    if steps.isEmpty { return nil }
    var text = ""
    for step in steps {
      switch step {
      case .property(let name): text += text.isEmpty ? name : "." + name
      case .mapKey(let key): text += "[\(key)]"
      }
    }
    return text
  }
}

/// What values can be compared with each other.
enum ValueClass: String {
  case number, text, bool, data, date, uuid, objectId, object, embedded, any, collection

  init(_ kind: ColumnType.Kind) {
    switch kind {
    case .bool: self = .bool
    case .int8, .int16, .int32, .int64, .float, .double, .decimal: self = .number
    case .string: self = .text
    case .data: self = .data
    case .date: self = .date
    case .uuid: self = .uuid
    case .objectId: self = .objectId
    case .any: self = .any
    case .link: self = .object
    case .embedded: self = .embedded
    case .linkingObjects: self = .collection
    }
  }

  var isScalar: Bool { self != .object && self != .embedded && self != .collection }

  var isOrdered: Bool {
    switch self {
    case .number, .text, .data, .date, .uuid, .objectId, .any: true
    case .bool, .object, .embedded, .collection: false
    }
  }
}
