import Fief
import FiefRules

extension FiefError {
  /// Creates the error of a refused read or write. It shows nothing of the data.
  init(_ refusal: RuleCheck.Refusal, store: String) {
    let message =
      switch refusal.kind {
      case .read: "The access rules do not let the client read a place."
      case .write: "The access rules do not let the client write a place."
      case .validate: "A written value does not fulfil the access rules."
      }
    var details = ["path: " + HiddenValue.text(refusal.names.joined(separator: "/"))]
    if let outcome = refusal.outcome {
      details.append("rule: " + outcome.rule.name)
      if let failure = outcome.failure { details.append("reason: " + HiddenValue.text(failure.reason)) }
    } else {
      details.append("no \(refusal.kind.rawValue) rule is at the place or above it")
    }
    self.init(.permissionDenied, message, store: store, details: details)
  }
}
