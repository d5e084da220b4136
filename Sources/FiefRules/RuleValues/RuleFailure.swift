/// The reason why a rule could not be evaluated. The rule is then false.
package struct RuleFailure: Error {
  /// A sentence without data.
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}
