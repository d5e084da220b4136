/// Comparing rules of relationships and derived properties. If a property itself was added or removed, its
/// rules are not a separate difference.
extension SchemaComparison {
  /// Whether both have no rules, which is true for most types.
  static func hasSameRules(_ descriptor: ObjectDescriptor, _ entry: TypeEntry) -> Bool {
    descriptor.relationships.isEmpty && entry.relationships.isEmpty && descriptor.derived.isEmpty
      && entry.derived.isEmpty
  }

  static func ruleDifferences(of descriptor: ObjectDescriptor, from entry: TypeEntry) -> [Difference] {
    var result: [Difference] = []
    let type = entry.name
    let isNew = { (column: String) in entry.id(ofColumnNamed: column) == nil }
    let isGone = { (column: String) in !descriptor.properties.contains { $0.column == column } }
    let oldRules = entry.relationships.map { $0.name(in: entry) }
    let newRules = entry.rules(declaredBy: descriptor)
    for rule in newRules where !isNew(rule.column) {
      guard let old = oldRules.first(where: { $0.column == rule.column }) else {
        result.append(.addedRule(type: type, rule))
        continue
      }
      if old != rule { result.append(.changedRule(type: type, from: old, to: rule)) }
    }
    for rule in oldRules
    where !isGone(rule.column) && !newRules.contains(where: { $0.column == rule.column }) {
      result.append(.removedRule(type: type, rule))
    }
    let oldDerived = entry.derived.map { $0.name(in: entry) }
    for derived in descriptor.derived where !isNew(derived.column) {
      guard let old = oldDerived.first(where: { $0.column == derived.column }) else {
        result.append(.addedDerivation(type: type, derived))
        continue
      }
      if old != derived { result.append(.changedDerivation(type: type, from: old, to: derived)) }
    }
    for derived in oldDerived
    where !isGone(derived.column) && !descriptor.derived.contains(where: { $0.column == derived.column }) {
      result.append(.removedDerivation(type: type, derived))
    }
    return result
  }
}
