import LMDB

/// Keys that conditions leave, taken from one tree or put together from several.
struct Restriction {
  var source: KeySource
  /// The number of keys, about.
  var estimate: Int
  /// The estimated number of entries that are read for them.
  var entries: Int
  /// The conjuncts that it takes account of, one bit each, and those that it answers exactly.
  var used: UInt64
  var answered: UInt64
}

extension PlanSearch {
  /// The restrictions by each tree in which conditions can be looked up.
  func restrictions(_ matches: [TreeMatch]) throws -> [Restriction] {
    var result = matches.filter(\.isRestricted).map {
      Restriction(
        source: .ranges($0.source),
        estimate: $0.estimate,
        entries: $0.estimate,
        used: $0.used,
        answered: $0.answered
      )
    }
    for (index, conjunct) in conjuncts.enumerated() {
      let bit: UInt64 = 1 << UInt64(index)
      switch conjunct.condition {
      case .any(let branches) where conjunct.subject == .other:
        if let union = try union(branches, bit) { result.append(union) }
      case .matches(let path, let text):
        if let search = try fullText(path, text, bit) { result.append(search) }
      default: break
      }
    }
    return result
  }

  /// The restriction by several conditions of which one must hold; each one allows keys of its own.
  private func union(_ branches: [QueryCondition], _ bit: UInt64) throws -> Restriction? {
    var sources: [KeySource] = []
    var union = Restriction(source: .union([]), estimate: 0, entries: 0, used: bit, answered: bit)
    for branch in branches {
      var part = QueryDescription()
      part.condition = branch
      let search = try PlanSearch(part, binder, transaction, records: records)
      guard let found = try search.bestRestriction() else { return nil }
      if case .none = found { continue }
      if case .some(let restriction) = found {
        sources.append(restriction.source)
        union.estimate += restriction.estimate
        union.entries += restriction.entries
        if restriction.answered != search.allConjuncts { union.answered = 0 }
      }
    }
    union.source = sources.count == 1 ? sources[0] : .union(sources)
    return union
  }

  /// All bits of the conjuncts.
  var allConjuncts: UInt64 { conjuncts.count >= 64 ? .max : (1 << UInt64(conjuncts.count)) - 1 }

  /// The restriction with the fewest keys; a nil inside where nothing fulfils the conditions at all, nil where
  /// none is any use.
  func bestRestriction() throws -> Restriction?? {
    let matches = try self.matches()
    if matches.contains(where: \.ranges.isEmpty) { return .some(nil) }
    guard let best = bestRestriction(of: try restrictions(matches)) else { return nil }
    return .some(best)
  }

  /// The one restriction, or several together, that cost the least.
  func bestRestriction(of restrictions: [Restriction]) -> Restriction? {
    let sorted = restrictions.sorted { $0.estimate < $1.estimate }
    guard var best = sorted.first else { return nil }
    for next in sorted.dropFirst() {
      if let both = intersection(best, next), cost(both) < cost(best) { best = both }
    }
    return best
  }

  /// Both, nil where the second adds nothing.
  func intersection(_ first: Restriction, _ second: Restriction) -> Restriction? {
    // The second restriction leaves no less of the conjuncts that both take account of.
    guard first.used & second.used == 0 else { return nil }
    var sources = [first.source]
    if case .intersection(let known) = first.source { sources = known }
    let share = total > 0 ? Double(second.estimate) / Double(total) : 1
    return Restriction(
      source: .intersection(sources + [second.source]),
      estimate: Int(Double(first.estimate) * min(share, 1)),
      entries: first.entries + second.entries,
      used: first.used | second.used,
      answered: first.answered | second.answered
    )
  }

  private func fullText(_ path: QueryPath, _ text: String, _ bit: UInt64) throws -> Restriction? {
    guard let column = try binder.column(path) else { return nil }
    let query = FullTextQuery(parsing: text)
    guard query.isSearchable else { return nil }
    for index in table.indexes
    where index.entry.kind == .fullText && index.columns.contains(where: { $0.id == column.id }) {
      let search = FullTextSearch(query, index: index, transaction: try transaction)
      let estimate = try search.estimatedCount()
      return Restriction(
        source: .fullText(index, query),
        estimate: min(estimate, total),
        entries: estimate,
        used: bit,
        answered: search.isExact ? bit : 0
      )
    }
    return nil
  }
}
