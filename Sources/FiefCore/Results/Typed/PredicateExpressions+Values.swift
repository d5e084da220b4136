import Foundation

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    try translator.term(of: key)
  }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm { .operand(.value(.null)) }
}

extension PredicateExpressions.Value: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    switch value {
    case is String, is Data: return .operand(.value(try QueryValue(value)))
    case let range as any PredicateRange:
      let bounds = range.bounds
      return .range(
        try bounds.lower.map { .value(try QueryValue($0)) },
        try bounds.upper.map { .value(try QueryValue($0)) },
        isClosed: bounds.isClosed
      )
    case let values as any PredicateValues:
      return .values(try values.all.map { try QueryValue($0) })
    case is ComparisonResult, is any TranslatablePredicate: return .other(value)
    default: return .operand(.value(try QueryValue(value)))
    }
  }
}

/// A range that a predicate has captured.
private protocol PredicateRange {
  var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: PredicateRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: PredicateRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: PredicateRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}

extension PartialRangeThrough: PredicateRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: PredicateRange {
  fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}

/// A collection of values that a predicate has captured.
private protocol PredicateValues {
  var all: [Any] { get }
}

extension Array: PredicateValues {
  fileprivate var all: [Any] { map { $0 } }
}

extension ArraySlice: PredicateValues {
  fileprivate var all: [Any] { map { $0 } }
}

extension Set: PredicateValues {
  fileprivate var all: [Any] { map { $0 } }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    let root = try translator.term(root)
    if let kind, let term = Self.member(kind, of: root) { return term }
    if let type = Root.Output.self as? any PredicateMembers.Type, let member = type.member(keyPath),
      let term = Self.member(member, of: root)
    {
      return term
    }
    guard case .operand(.path(let path)) = root else {
      if case .entry(let path) = root, keyPath == \(key: String, value: Output).value as AnyKeyPath {
        return .operand(.path(path))
      }
      throw unknown
    }
    guard Root.Output.self is ObjectBase.Type else {
      guard keyPath.givesStoredValue else { throw unknown }
      return .operand(.path(path))
    }
    let steps = try TypedPath.path(keyPath).steps
    let property = QueryPath(scope: path.scope, steps: path.steps + steps)
    guard Output.self is any _QueryableCollection.Type else { return .operand(.path(property)) }
    return .collection(QueryCollection(property), nil)
  }

  private var unknown: FiefError {
    FiefError(
      .invalidQuery,
      "The predicate uses something that is not a persisted property.",
      details: ["key path: \(keyPath)"]
    )
  }

  private static func member(_ kind: CommonKeyPathKind, of root: PredicateTerm) -> PredicateTerm? {
    switch kind {
    case .collectionCount: member(.count, of: root)
    case .collectionIsEmpty: member(.isEmpty, of: root)
    default: nil
    }
  }

  private static func member(_ member: PredicateMember, of root: PredicateTerm) -> PredicateTerm? {
    switch (root, member) {
    case (.collection(let collection, let condition), .count):
      .operand(.count(collection, condition))
    case (.collection(let collection, let condition), .isEmpty):
      .condition(.comparison(.count(collection, condition), .equal, .value(.integer(0))))
    case (.collection(let collection, nil), .keys):
      .collection(QueryCollection(collection.path, part: .keys), nil)
    case (.collection(let collection, nil), .values), (.collection(let collection, nil), .dictionary):
      .collection(collection, nil)
    case (.operand(let operand), .count): .operand(.length(operand))
    case (.operand(let operand), .isEmpty):
      .condition(
        .comparison(operand, .equal, .value(Root.Output.self == Data.self ? .data([]) : .string("")))
      )
    case (.operand(.path(let path)), .words): .words(path)
    default: nil
    }
  }
}
