/// Decides by rules whether a client may read or write.
package struct RuleCheck {
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

  package init(
    _ rules: RuleNode,
    _ operation: RuleOperation,
    trace: ((Rule.Outcome, [String]) -> Void)? = nil
  ) {
    self.rules = rules
    self.operation = operation
    self.trace = trace
  }

  private func evaluate(_ rule: Rule, _ operation: RuleOperation, at place: RulePlace) throws -> Rule.Outcome
  {
    let outcome = try rule.evaluate(operation, at: place)
    trace?(outcome, place.names)
    return outcome
  }

  /// Checks that a read rule at or above a place is true.
  ///
  /// - Throws: ``Refusal``, or an error of the data.
  package func checkRead(of names: [String]) throws {
    var place = RulePlace(names: [], data: operation.root)
    var node: RuleNode? = rules
    var last: Rule.Outcome?
    for level in 0...names.count {
      if level > 0 {
        place.names.append(names[level - 1])
        place.data = place.data.child(names[level - 1])
        node = node?.child(names[level - 1])
      }
      guard let node else { break }
      guard let rule = node.read else { continue }
      // A query says something about its own place only.
      let outcome = try evaluate(rule, level == names.count ? operation : operation.withoutQuery, at: place)
      if outcome.isTrue { return }
      last = outcome
    }
    throw Refusal(kind: .read, names: names, outcome: last)
  }

  /// Checks the query of a group: its own read rule, or the read rule of the root, must be true.
  ///
  /// - Throws: ``Refusal``, or an error of the data.
  package func checkRead(ofGroup rule: Rule?) throws {
    let place = RulePlace(names: [], data: operation.root)
    var last: Rule.Outcome?
    if let read = rules.read {
      let outcome = try evaluate(read, operation.withoutQuery, at: place)
      if outcome.isTrue { return }
      last = outcome
    }
    if let rule {
      let outcome = try evaluate(rule, operation, at: place)
      if outcome.isTrue { return }
      last = outcome
    }
    throw Refusal(kind: .read, names: [], outcome: last)
  }

  /// Checks a write: each written place needs a write rule at or above it that is true, and then all rules of
  /// kind `validate` must be true.
  ///
  /// - Parameter root: the root after the write.
  /// - Throws: ``Refusal``, or an error of the data.
  package func checkWrite(_ root: any WrittenRuleData) throws {
    let place = RulePlace(names: [], data: root.before, newData: root)
    try checkGrants(root, rules, place, nil)
    if rules.hasValidation { try validate(root, rules, place) }
  }

  private func checkGrants(
    _ data: any WrittenRuleData,
    _ node: RuleNode?,
    _ place: RulePlace,
    _ last: Rule.Outcome?
  ) throws {
    var last = last
    if let rule = node?.write {
      let outcome = try evaluate(rule, operation, at: place)
      // The grant holds for everything below.
      if outcome.isTrue { return }
      last = outcome
    }
    guard case .below = data.change else {
      throw Refusal(kind: .write, names: place.names, outcome: last)
    }
    for child in data.changedChildren {
      try checkGrants(child, node?.child(child.name), place.child(child), last)
    }
  }

  private func validate(_ data: any WrittenRuleData, _ node: RuleNode, _ place: RulePlace) throws {
    switch data.change {
    case .value, .below(setsValues: true): break
    // Deletions are not validated.
    case .none, .removal, .below(setsValues: false): return
    }
    if let rule = node.validate {
      let outcome = try evaluate(rule, operation, at: place)
      if !outcome.isTrue { throw Refusal(kind: .validate, names: place.names, outcome: outcome) }
    }
    for child in data.changedChildren {
      guard let node = node.child(child.name), node.hasValidation else { continue }
      try validate(child, node, place.child(child))
    }
  }
}

extension RuleOperation {
  fileprivate var withoutQuery: RuleOperation {
    RuleOperation(identity: identity, now: now, root: root)
  }
}

extension RulePlace {
  fileprivate func child(_ data: any WrittenRuleData) -> RulePlace {
    RulePlace(names: names + [data.name], data: data.before, newData: data)
  }
}
