/// A rule of a place.
package final class Rule: Sendable {
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
  private let pattern: RulePattern
  private let isGroup: Bool
  private let condition: Condition

  /// - Parameters:
  ///   - pattern: the path of the rule; for a group its name.
  ///   - isGroup: whether the rule is the read rule of a group.
  init(_ kind: Kind, _ pattern: RulePattern, isGroup: Bool = false, _ condition: Condition) {
    self.kind = kind
    self.pattern = pattern
    self.isGroup = isGroup
    self.condition = condition
  }

  /// Creates a rule whose condition is a function. It may throw ``RuleFailure``.
  package convenience init(
    _ kind: Kind,
    _ pattern: RulePattern,
    isGroup: Bool = false,
    _ body: @escaping @Sendable (RuleOperation, RulePlace) throws -> Bool
  ) {
    self.init(kind, pattern, isGroup: isGroup, .code(body))
  }

  /// The pattern and the kind. The text is made when it is needed, since many rules may have long patterns.
  package var name: String {
    let path = (isGroup ? ["groups"] : []) + pattern.names
    return (path + [kind.rawValue]).joined(separator: "/")
  }

  /// The result of a rule.
  package struct Outcome {
    package let rule: Rule
    package let isTrue: Bool
    /// The reason why the rule could not be evaluated.
    package var failure: RuleFailure?
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
      return Outcome(rule: self, isTrue: isTrue)
    } catch let failure as RuleFailure {
      return Outcome(rule: self, isTrue: false, failure: failure)
    }
  }
}
