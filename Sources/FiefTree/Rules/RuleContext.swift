import Fief
import FiefRules

/// The facts by which a rule in Swift decides.
///
/// A context is valid while its rule runs. If the rule uses a name that its pattern does not have, the parent of
/// the root or an invalid path, the rule is false whatever it returns.
public struct RuleContext {
  private let operation: RuleOperation
  private let place: RulePlace
  private let wildcards: RulePattern
  private let problems: RuleProblems

  /// Calls a rule.
  ///
  /// - Throws: `RuleFailure`, or an error of the data.
  static func evaluate(
    _ rule: (RuleContext) throws -> Bool,
    _ operation: RuleOperation,
    _ place: RulePlace,
    _ pattern: RulePattern
  ) throws -> Bool {
    let problems = RuleProblems()
    defer { problems.isOpen = false }
    let context = RuleContext(operation: operation, place: place, wildcards: pattern, problems: problems)
    let result: Bool
    do { result = try rule(context) } catch {
      throw problems.error ?? RuleFailure("The rule has thrown an error.")
    }
    if let error = problems.error { throw error }
    return result
  }

  /// The identity of the client; `nil` if it is signed out.
  public var auth: RuleAuth? {
    operation.identity.map { RuleAuth(uid: $0.uid, provider: $0.provider, token: $0.token.json) }
  }

  /// The time in milliseconds since 1970. In a write it is the value of every ``JSON/serverTimestamp``.
  public var now: Int64 { operation.now }

  /// The root of the tree before the write.
  public var root: RuleSnapshot { RuleSnapshot(operation.root, problems) }

  /// The place of the rule before the write.
  public var data: RuleSnapshot { RuleSnapshot(place.data, problems) }

  /// The place of the rule after the write. A rule for reading that uses it is false.
  public var newData: RuleSnapshot {
    if place.newData == nil { problems.report(RuleFailure("A read has no 'newData'.")) }
    return RuleSnapshot(place.newData ?? place.data, problems)
  }

  /// The query of a read; all of its members are `nil` for a read without a query and for a write.
  public var query: RuleQueryContext { RuleQueryContext(query: operation.query) }

  /// The name of the path for which a `$name` of the pattern stands.
  ///
  /// - Parameter name: the name, with or without `$`.
  public subscript(name: String) -> RuleName {
    guard let level = wildcards.level(of: name), level < place.names.count else {
      problems.report(RuleFailure("The pattern of the rule has no such name with '$'."))
      return RuleName(text: "")
    }
    return RuleName(text: place.names[level])
  }
}

/// A name in the path of a rule. It equals a text with the same bytes.
///
/// Swift's own comparison would treat "é" as one scalar and "é" as two scalars as the same text, so that one
/// user could have the rights of another one.
public struct RuleName: Sendable, Hashable, CustomStringConvertible {
  /// The name.
  public let text: String

  /// Returns whether two names have the same bytes.
  public static func == (first: RuleName, second: RuleName) -> Bool {
    first.text.hasSameBytes(as: second.text)
  }
  /// Returns whether a text and a name have the same bytes.
  public static func == (first: String?, second: RuleName) -> Bool { first.hasSameBytes(as: second.text) }
  /// Returns whether a name and a text have the same bytes.
  public static func == (first: RuleName, second: String?) -> Bool { second.hasSameBytes(as: first.text) }
  /// Returns whether a text and a name have different bytes.
  public static func != (first: String?, second: RuleName) -> Bool { !(first == second) }
  /// Returns whether a name and a text have different bytes.
  public static func != (first: RuleName, second: String?) -> Bool { !(first == second) }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }

  /// The name.
  public var description: String { text }
}

/// The query of a read, as a rule in Swift sees it.
public struct RuleQueryContext {
  let query: RuleQuery?

  private func value(_ member: RuleQuery.Member) -> JSON { query?.value(of: member).json ?? .null }

  /// `true` for an order by key; otherwise `nil`.
  public var orderByKey: Bool? { value(.orderByKey).bool }
  /// The path by whose values the children are ordered.
  public var orderByChild: String? { value(.orderByChild).string }
  /// `true` for an order by value; otherwise `nil`.
  public var orderByValue: Bool? { value(.orderByValue).bool }
  /// The value of all children; ``JSON/null`` if the query does not ask for one.
  public var equalTo: JSON { value(.equalTo) }
  /// The value at which the query starts; ``JSON/null`` without a start, or if it is exclusive.
  public var startAt: JSON { value(.startAt) }
  /// The value at which the query ends; ``JSON/null`` without an end, or if it is exclusive.
  public var endAt: JSON { value(.endAt) }
  /// The maximum number of first children.
  public var limitToFirst: Int? { value(.limitToFirst).int.flatMap { Int(exactly: $0) } }
  /// The maximum number of last children.
  public var limitToLast: Int? { value(.limitToLast).int.flatMap { Int(exactly: $0) } }
}
