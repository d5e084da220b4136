import Fief

/// Copies that join writes.
extension GraphDriver {
  /// Reads copies, changes them in a write that is rolled back, and then changes them in another write.
  func hold(_ holding: GraphHolding) throws {
    var copies: [GraphRef: any GraphObject] = [:]
    for ref in holding.refs where model.exists(ref) { copies[ref] = try copy(ref) }
    if holding.isRead { try compare(copies, "before the write") }
    defer { held = [:] }
    held = copies
    try write(holding.rolledBack, isAborted: true)
    if holding.isCompared { try compare(copies, "after the write that was rolled back") }
    tally.rolledBack += copies.count
    held = copies
    let before = model
    try write(holding.changes, isAborted: false)
    guard case .failed = attempt else { return }
    try compare(copies.filter { before.exists($0.key) }, "after the write that failed")
  }

  /// Compares copies with the model. The store is as it was when they were read.
  private func compare(_ copies: [GraphRef: any GraphObject], _ time: String) throws {
    let comparison = GraphComparison(model: model) { copies[$0] }
    for ref in copies.keys.sorted(by: { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }) {
      let problems = try comparison.problems(of: ref)
      if !problems.isEmpty { throw Wrong("a copy, \(time): " + problems.joined(separator: "\n")) }
    }
  }
}

extension GraphHolding {
  /// The step without one of its changes; nil if there is no such change.
  func without(_ part: Int) -> GraphHolding? {
    var (rolledBack, changes) = (rolledBack, changes)
    if part < rolledBack.count {
      rolledBack.remove(at: part)
    } else if part - rolledBack.count < changes.count {
      changes.remove(at: part - rolledBack.count)
    } else {
      return nil
    }
    return GraphHolding(
      refs: refs,
      isRead: isRead,
      isCompared: isCompared,
      rolledBack: rolledBack,
      changes: changes
    )
  }
}
