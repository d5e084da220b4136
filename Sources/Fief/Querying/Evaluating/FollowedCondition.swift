/// A condition about the object at the end of a way.
final class FollowedCondition: RowCondition {
  private let source: FollowSource
  private let condition: RowCondition
  /// What it is where the way leads nowhere.
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

  /// One condition for all that go the same way, which is then gone once; nil where there are no two.
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

/// Whether a link leads to an object: one that stayed when its object was deleted reads as nil.
final class PresenceCondition: RowCondition {
  private let source: FollowSource
  private let isThere: Bool

  /// - Parameter isThere: whether it is to lead to one, rather than to nothing.
  init(_ source: FollowSource, isThere: Bool) {
    self.source = source
    self.isThere = isThere
  }

  override var cost: Int { source.cost }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    try (source.row(from: row, in: environment) != nil) == isThere
  }
}
