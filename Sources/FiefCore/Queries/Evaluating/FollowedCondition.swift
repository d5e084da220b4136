import LMDB

/// A condition on the object at the end of a path.
final class FollowedCondition: RowCondition {
  private let source: FollowSource
  private let condition: RowCondition
  /// The result if a link on the path is nil or its object does not exist.
  private let otherwise: Bool

  init(_ source: FollowSource, _ condition: RowCondition, otherwise: Bool) {
    self.source = source
    self.condition = condition
    self.otherwise = otherwise
  }

  override var cost: Int { source.cost + condition.cost }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    guard let target = try source.row(from: row, in: environment) else { return otherwise }
    return try condition.holds(target, in: environment)
  }

  /// Merges two conditions that follow the same path, so that the path is followed once. Returns `nil` if the
  /// paths differ.
  static func merged(_ first: RowCondition, _ second: RowCondition) -> RowCondition? {
    guard let first = first as? FollowedCondition, let second = second as? FollowedCondition,
      first.source === second.source
    else { return nil }
    return FollowedCondition(
      first.source,
      JunctionCondition.make(isAll: true, [first.condition, second.condition]),
      otherwise: first.otherwise && second.otherwise
    )
  }
}

/// A test of an `AnyRealmValue` for nil. A link to a deleted object counts as nil.
final class AnyPresenceCondition: RowCondition {
  private let operand: RowOperand
  private let isThere: Bool

  private init(_ operand: RowOperand, isThere: Bool) {
    self.operand = operand
    self.isThere = isThere
  }

  /// Creates the comparison with `nil`, or returns `nil` if the operator does not support one.
  static func make(_ operand: RowOperand, _ comparison: QueryComparison) -> AnyPresenceCondition? {
    switch comparison {
    case .equal, .lessOrEqual, .greaterOrEqual: AnyPresenceCondition(operand, isThere: false)
    case .notEqual: AnyPresenceCondition(operand, isThere: true)
    default: nil
    }
  }

  override var cost: Int { operand.cost + 10 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    switch try operand.evaluate(row, in: environment) {
    case .null: !isThere
    case .object(let type, let key): try environment.hasObject(type, key) == isThere
    default: isThere
    }
  }
}

extension QueryEnvironment {
  fileprivate func hasObject(_ type: UInt32, _ key: UnsafeRawBufferPointer) throws -> Bool {
    guard let records = tables[number: type]?.records else { return false }
    return try transaction.get(records, key) != nil
  }
}

/// A test of whether a link refers to an existing object. A link to a deleted object reads as nil.
final class PresenceCondition: RowCondition {
  private let source: FollowSource
  private let isThere: Bool

  /// - Parameter isThere: whether the object must exist for the condition to hold.
  init(_ source: FollowSource, isThere: Bool) {
    self.source = source
    self.isThere = isThere
  }

  override var cost: Int { source.cost }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    try (source.row(from: row, in: environment) != nil) == isThere
  }
}
