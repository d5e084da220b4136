/// A conjunction or disjunction of conditions. The cheapest condition is evaluated first.
// SAFETY: `parts` contains the conditions of `conditions` unretained, which avoids reference counting for
// each row.
final class JunctionCondition: RowCondition {
  private let isAll: Bool
  private let conditions: [RowCondition]
  private let parts: UnsafeMutablePointer<Unmanaged<RowCondition>>

  /// - Parameter isAll: whether all conditions must hold, rather than at least one.
  init(isAll: Bool, _ conditions: [RowCondition]) {
    self.isAll = isAll
    self.conditions = conditions.sorted { $0.cost < $1.cost }
    parts = .allocate(capacity: conditions.count)
    for (index, condition) in self.conditions.enumerated() {
      (parts + index).initialize(to: .passUnretained(condition))
    }
  }

  deinit { parts.deallocate() }

  override var cost: Int {
    // The estimate assumes that each condition rejects half of the rows.
    conditions.enumerated().reduce(0) { $0 + ($1.element.cost >> min($1.offset, 8)) } + 1
  }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    for index in 0..<conditions.count {
      let holds = try parts[index]._withUnsafeGuaranteedRef { try $0.holds(row, in: environment) }
      if holds != isAll { return holds }
    }
    return isAll
  }

  override func select(_ block: inout RowBlock, in environment: QueryEnvironment) throws {
    guard isAll else { return try super.select(&block, in: environment) }
    for index in 0..<conditions.count where block.count > 0 {
      try parts[index]._withUnsafeGuaranteedRef { try $0.select(&block, in: environment) }
    }
  }

  /// Merges each condition with the first condition with which this is possible.
  private static func merge(_ parts: inout [RowCondition]) {
    guard parts.count < 200 else { return }
    var index = 1
    while index < parts.count {
      var isMerged = false
      for earlier in 0..<index where !isMerged {
        guard let condition = LeafCondition.merged(parts[earlier], parts[index]) else { continue }
        parts[earlier] = condition
        parts.remove(at: index)
        isMerged = true
      }
      if !isMerged { index += 1 }
    }
    parts.removeAll { $0.constant == true }
  }

  /// Returns the simplest condition that combines the given conditions.
  static func make(isAll: Bool, _ conditions: [RowCondition]) -> RowCondition {
    var parts: [RowCondition] = []
    for condition in conditions {
      if let constant = condition.constant {
        if constant != isAll { return ConstantCondition(constant) }
      } else if let junction = condition as? JunctionCondition, junction.isAll == isAll {
        parts += junction.conditions
      } else {
        parts.append(condition)
      }
    }
    if isAll { merge(&parts) }
    if let constant = parts.first(where: { $0.constant == false }) { return constant }
    if parts.isEmpty { return ConstantCondition(isAll) }
    return parts.count == 1 ? parts[0] : JunctionCondition(isAll: isAll, parts)
  }
}

/// The negation of a condition.
final class OppositeCondition: RowCondition {
  private let condition: RowCondition

  private init(_ condition: RowCondition) { self.condition = condition }

  override var cost: Int { condition.cost + 1 }

  override func holds(_ row: QueryRow, in environment: QueryEnvironment) throws -> Bool {
    try !condition.holds(row, in: environment)
  }

  static func make(_ condition: RowCondition) -> RowCondition {
    if let constant = condition.constant { return ConstantCondition(!constant) }
    if let opposite = condition as? OppositeCondition { return opposite.condition }
    return OppositeCondition(condition)
  }
}
