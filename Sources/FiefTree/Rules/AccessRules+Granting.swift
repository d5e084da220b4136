import Fief
import FiefRules
public import Foundation

extension AccessRules {
  /// Lets clients read the places that match a pattern, and everything below them, if the rule is true.
  ///
  /// A read of a place, a query and a listener need such a rule at the place or above it. A rule deeper in the
  /// tree cannot take the right away.
  ///
  /// - Parameters:
  ///   - pattern: names, and names with `$` that stand for any name, joined by slashes. A name has precedence
  ///     over the `$name` of its level.
  ///   - rule: returns whether the client may read. An error that it throws counts as `false`.
  /// - Throws: `FiefError` of code `malformedRules` for an invalid pattern, a second rule of this kind for the
  ///   place, or a second `$name` for its level.
  public func read(
    _ pattern: String,
    _ rule: @escaping @Sendable (RuleContext) throws -> Bool
  ) throws -> AccessRules { try adding(.read, pattern, rule) }

  /// Lets clients query a group if the rule is true. A read rule of the root that is true allows it, too.
  ///
  /// - Parameters:
  ///   - name: the name of the nodes of the group.
  ///   - rule: returns whether the client may read the children of all nodes with this name. Its
  ///     ``RuleContext/data`` is the root. An error that it throws counts as `false`.
  /// - Throws: `FiefError` of code `malformedRules` for an invalid name, or a second rule of the group.
  public func read(
    group name: String,
    _ rule: @escaping @Sendable (RuleContext) throws -> Bool
  ) throws -> AccessRules {
    guard PlaceName.isValid(name), groups[ExactText(name)] == nil else {
      throw FiefError(.malformedRules, "The name of a group is invalid, or has a rule already.", path: name)
    }
    var rules = self
    let path = RulePattern(group: name)
    rules.groups[ExactText(name)] = Rule(.read, path, isGroup: true) {
      try RuleContext.evaluate(rule, $0, $1, RulePattern())
    }
    return rules
  }

  /// Lets clients change the places that match a pattern, and everything below them, if the rule is true.
  ///
  /// A written place needs such a rule at the place or above it. All rules of a write see the same state: the
  /// tree before the write, and the tree with all of its changes.
  ///
  /// - Parameters:
  ///   - pattern: the places; see ``read(_:_:)``.
  ///   - rule: returns whether the client may write. An error that it throws counts as `false`.
  /// - Throws: the errors of ``read(_:_:)``.
  public func write(
    _ pattern: String,
    _ rule: @escaping @Sendable (RuleContext) throws -> Bool
  ) throws -> AccessRules { try adding(.write, pattern, rule) }

  /// Requires that a written value fulfils a rule.
  ///
  /// The rule is evaluated after the write was granted, for each node that has the pattern, exists afterwards
  /// and is written or on the way to a written place. Removals are not validated.
  ///
  /// - Parameters:
  ///   - pattern: the places; see ``read(_:_:)``.
  ///   - rule: returns whether the value is valid. An error that it throws counts as `false`.
  /// - Throws: the errors of ``read(_:_:)``.
  public func validate(
    _ pattern: String,
    _ rule: @escaping @Sendable (RuleContext) throws -> Bool
  ) throws -> AccessRules { try adding(.validate, pattern, rule) }

  private func adding(
    _ kind: Rule.Kind,
    _ pattern: String,
    _ body: @escaping @Sendable (RuleContext) throws -> Bool
  ) throws -> AccessRules {
    do throws(RulePathError) {
      var rules = self
      let path = try RulePattern(pattern)
      let rule = Rule(kind, path) { try RuleContext.evaluate(body, $0, $1, path) }
      rules.root = try rules.root.adding(rule, at: path.names[...])
      return rules
    } catch {
      throw FiefError(.malformedRules, error.message, path: pattern)
    }
  }

  /// Creates rules from JSON, in the form of Firebase's Realtime Database.
  ///
  /// ```json
  /// {"rules": {"users": {"$uid": {".read": "auth.uid == $uid", ".write": "auth.uid == $uid"}}}}
  /// ```
  /// The text is strict JSON with `//` and `/* */` comments, of at most 256 KiB. <doc:RulesForClients> describes
  /// the expressions.
  ///
  /// - Throws: `FiefError` of code `malformedRules` with line and column. Rules are created whole or not at
  ///   all.
  public init(json text: Data) throws {
    self.init()
    let file = try text.withUnsafeBytes { try RuleFile($0) }
    root = file.root
    groups = file.groups
    for index in file.indexes {
      do {
        let target = index.target.text
        self = try index.isGroup ? group(target, on: index.path) : self.index(target, on: index.path)
      } catch let error as FiefError {
        // The details of the cause are not copied, because they would lose the values that they show on request.
        throw FiefError(
          .malformedRules,
          "An index is not valid.",
          details: text.withUnsafeBytes { index.position(in: $0) },
          underlying: error
        )
      }
    }
  }
}
