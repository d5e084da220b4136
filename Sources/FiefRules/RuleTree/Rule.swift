/// A rule of a place.
package struct Rule: Sendable {
  package enum Kind: String, Sendable {
    case read = ".read"
    case write = ".write"
    case validate = ".validate"
  }

  enum Condition: Sendable {
    case constant(Bool)
    case expression(RuleExpression)
    case code(@Sendable (RuleOperation, RulePlace) throws -> Bool)
  }

  package let kind: Kind
  /// The path of the rule, with `$names`.
  package let pattern: String
  let condition: Condition

  init(kind: Kind, pattern: String, condition: Condition) {
    self.kind = kind
    self.pattern = pattern
    self.condition = condition
  }

  /// Creates a rule whose condition is a function. It may throw ``RuleFailure``.
  package init(
    _ kind: Kind,
    _ pattern: RulePattern,
    _ body: @escaping @Sendable (RuleOperation, RulePlace) throws -> Bool
  ) {
    self.init(kind: kind, pattern: pattern.text, condition: .code(body))
  }

  /// Creates the read rule of a group.
  package init(
    ofGroup name: String,
    _ body: @escaping @Sendable (RuleOperation, RulePlace) throws -> Bool
  ) {
    self.init(kind: .read, pattern: "groups/" + name, condition: .code(body))
  }

  /// The pattern and the kind.
  package var name: String { pattern.isEmpty ? kind.rawValue : pattern + "/" + kind.rawValue }

  /// The result of a rule.
  package struct Outcome {
    package let rule: Rule
    package let isTrue: Bool
    /// The reason why the rule could not be evaluated.
    package let failure: RuleFailure?
  }

  /// Evaluates the rule for a place. A rule that cannot be evaluated is false.
  ///
  /// - Throws: an error of the data.
  package func evaluate(_ operation: RuleOperation, at place: RulePlace) throws -> Outcome {
    do {
      let isTrue: Bool
      switch condition {
      case .constant(let value): isTrue = value
      case .expression(let expression):
        var evaluator = RuleEvaluator(operation, place)
        isTrue = try evaluator.result(expression)
      case .code(let body): isTrue = try body(operation, place)
      }
      return Outcome(rule: self, isTrue: isTrue, failure: nil)
    } catch let failure as RuleFailure {
      return Outcome(rule: self, isTrue: false, failure: failure)
    }
  }
}
