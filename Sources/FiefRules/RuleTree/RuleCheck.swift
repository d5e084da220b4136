/// Decides by rules whether a client may read or write.
package final class RuleCheck {
  /// The reason why an operation is refused.
  package struct Refusal: Error {
    package let kind: Rule.Kind
    /// The names of the place that was refused.
    package let names: [String]
    /// The deepest rule that would have had to be true; `nil` if there is no rule.
    package let outcome: Rule.Outcome?
  }

  private let rules: RuleNode
  private let operation: RuleOperation
  /// Receives each rule that was evaluated, and the names of the place for which it was evaluated.
  private let trace: ((Rule.Outcome, [String]) -> Void)?
  /// The names of the place that is checked.
  private var names: [String] = []

  package init(
    _ rules: RuleNode,
    _ operation: RuleOperation,
    trace: ((Rule.Outcome, [String]) -> Void)? = nil
  ) {
    self.rules = rules
    self.operation = operation
    self.trace = trace
  }

  private func evaluate(_ rule: Rule, _ operation: RuleOperation, _ state: RulePlace.State) throws
    -> Rule.Outcome
  {
    let outcome = try rule.evaluate(operation, at: RulePlace(names: names, state))
    trace?(outcome, names)
    return outcome
  }

  // MARK: Reading

  /// Checks that a read rule at or above a place is true.
  ///
  /// - Throws: ``Refusal``, or an error of the data.
  package func checkRead(of path: [String]) throws {
    var data = operation.root
    var node: RuleNode? = rules
    var last: Rule.Outcome?
    // A query says something about its own place only.
    let above = operation.withoutQuery
    names = []
    for level in 0...path.count {
      if level > 0 {
        names.append(path[level - 1])
        data = data.child(path[level - 1])
        node = node?.child(path[level - 1])
      }
      guard let node else { break }
      guard let rule = node.read else { continue }
      let outcome = try evaluate(rule, level == path.count ? operation : above, .stored(data))
      if outcome.isTrue { return }
      last = outcome
    }
    throw Refusal(kind: .read, names: path, outcome: last)
  }

  /// Checks the query of a group: its own read rule, or the read rule of the root, must be true.
  ///
  /// - Parameter rule: the rule of the group.
  /// - Throws: ``Refusal``, or an error of the data.
  package func checkRead(ofGroup rule: Rule?) throws {
    var last: Rule.Outcome?
    names = []
    for (rule, operation) in [(rules.read, operation.withoutQuery), (rule, operation)] {
      guard let rule else { continue }
      let outcome = try evaluate(rule, operation, .stored(operation.root))
      if outcome.isTrue { return }
      last = outcome
    }
    throw Refusal(kind: .read, names: [], outcome: last)
  }

  // MARK: Writing

  /// Checks a write: each written place needs a write rule at or above it that is true, and then all rules of
  /// kind `validate` must be true.
  ///
  /// - Parameter root: the root after the write.
  /// - Throws: ``Refusal``, or an error of the data.
  package func checkWrite(_ root: any WrittenRuleData) throws {
    names = []
    try checkGrants(root, rules, nil)
    if rules.hasValidation { try validate(root, rules) }
  }

  private func checkGrants(_ data: any WrittenRuleData, _ node: RuleNode?, _ last: Rule.Outcome?) throws {
    var last = last
    if let rule = node?.write {
      let outcome = try evaluate(rule, operation, .written(data))
      // The grant holds for everything below.
      if outcome.isTrue { return }
      last = outcome
    }
    guard case .below = data.change else { throw Refusal(kind: .write, names: names, outcome: last) }
    try data.forEachChangedChild { child in
      names.append(child.name)
      try checkGrants(child, node?.child(child.name), last)
      names.removeLast()
    }
  }

  private func validate(_ data: any WrittenRuleData, _ node: RuleNode) throws {
    switch data.change {
    case .value, .below(setsValues: true): break
    // Deletions are not validated.
    case .none, .removal, .below(setsValues: false): return
    }
    if let rule = node.validate {
      let outcome = try evaluate(rule, operation, .written(data))
      if !outcome.isTrue { throw Refusal(kind: .validate, names: names, outcome: outcome) }
    }
    try data.forEachChangedChild { child in
      guard let node = node.child(child.name), node.hasValidation else { return }
      names.append(child.name)
      try validate(child, node)
      names.removeLast()
    }
  }
}
