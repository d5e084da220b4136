import Fief
import FiefRules
package import Foundation

/// Access rules that are tried on a JSON value instead of a store, as by the tool `fief`.
package struct RuleTrial {
  /// The evaluation of one rule.
  package struct Line {
    /// The pattern and the kind of the rule.
    package let rule: String
    /// The place for which it was evaluated.
    package let path: String
    package let isTrue: Bool
    /// The reason why the rule could not be evaluated; `nil` if it could.
    package let reason: String?
  }

  package struct Result {
    package let isAllowed: Bool
    /// The reason for a refusal, in one sentence.
    package let refusal: String?
    /// The rules that were evaluated, in their order.
    package let lines: [Line]
  }

  private let rules: AccessRules
  private var data: TreeValue?

  /// - Parameter rules: a file of rules.
  /// - Throws: `FiefError` of code `malformedRules`.
  package init(rules: Data) throws { self.rules = try AccessRules(json: rules) }

  /// Sets the value of the whole tree.
  ///
  /// - Throws: an error of ``TreeReference/setValue(_:)``.
  package mutating func use(_ data: JSON) throws {
    self.data = try TreeChanges(data, at: TreePath()).changes.first?.value
  }

  /// The pattern and the kind of each rule.
  package var names: [String] {
    rules.root.all.map(\.name) + rules.groups.sorted { $0.key < $1.key }.map(\.value.name)
  }

  /// The declared indexes, each in one line.
  package var indexes: [String] { rules.indexes.map(\.description) }

  /// Tries to read a place.
  ///
  /// - Throws: `FiefError` of code `invalidTreeKey` or `treeTooDeep` for the path.
  package func read(_ path: String, as auth: RuleAuth?) throws -> Result {
    let path = try TreePath(path)
    return try run(auth) { check, _, _ in try check.checkRead(of: path.names) }
  }

  /// Tries to write a value.
  ///
  /// - Throws: the errors of ``TreeReference/setValue(_:)``.
  package func write(_ value: JSON, at path: String, as auth: RuleAuth?) throws -> Result {
    let changes = try TreeChanges(value, at: try TreePath(path)).changes
    return try run(auth) { check, root, now in
      let written = WrittenData(before: root, ChangedPlace(changes), now: now)
      defer { written.end() }
      try check.checkWrite(written)
    }
  }

  private func run(_ auth: RuleAuth?, _ body: (RuleCheck, StoredData, Int64) throws -> Void) throws -> Result
  {
    let now = Milliseconds.since1970(Date())
    let root = StoredData(JSONRules(data, now: now))
    let operation = RuleOperation(identity: auth?.identity, now: now, root: root)
    var lines: [Line] = []
    let check = RuleCheck(rules.root, operation) { outcome, names in
      lines.append(
        Line(
          rule: outcome.rule.name,
          path: names.joined(separator: "/"),
          isTrue: outcome.isTrue,
          reason: outcome.failure?.reason
        )
      )
    }
    do { try body(check, root, now) } catch let refusal as RuleCheck.Refusal {
      return Result(isAllowed: false, refusal: Self.text(of: refusal), lines: lines)
    }
    return Result(isAllowed: true, refusal: nil, lines: lines)
  }

  private static func text(of refusal: RuleCheck.Refusal) -> String {
    let place = "/" + refusal.names.joined(separator: "/")
    guard let rule = refusal.outcome?.rule.name else {
      return "no \(refusal.kind.rawValue) rule is at '\(place)' or above it."
    }
    return "'\(rule)' is false for '\(place)'."
  }
}
