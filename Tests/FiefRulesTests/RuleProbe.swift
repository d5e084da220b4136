import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// The result of a rule.
enum RuleVerdict {
  case yes, no
  /// The rule could not be evaluated, so it is false.
  case failed
  /// The rule was not loaded.
  case malformed
}

/// A tree in whose places rules are evaluated.
struct RuleProbe {
  let chat: TreeFixture

  init(_ data: JSON = .null, _ kind: StoreKind = .inMemory, clock: (@Sendable () -> Date)? = nil) throws {
    chat = try TreeFixture(kind, clock: clock)
    try chat.tree.root.setValueAndWait(data)
  }

  func tree(_ rules: JSON) throws -> JSONTree { try tree(rules.text()) }

  func tree(_ rules: String) throws -> JSONTree {
    JSONTree(in: chat.store, rules: try AccessRules(json: Data(rules.utf8)))
  }

  /// Evaluates an expression as the read rule of a place.
  func read(_ expression: String, as auth: RuleAuth? = nil, at path: String = "x/a") throws -> RuleVerdict {
    try verdict { try client(".read", expression, auth).reference(path).exists() }
  }

  /// Evaluates an expression as the write rule of a place.
  func write(_ expression: String, _ value: JSON, as auth: RuleAuth? = nil, at path: String = "x/a") throws
    -> RuleVerdict
  {
    try verdict { try client(".write", expression, auth).reference(path).setValueAndWait(value) }
  }

  private func client(_ kind: String, _ expression: String, _ auth: RuleAuth?) throws -> TreeClient {
    try tree(["rules": ["x": ["$k": [(kind): .string(expression)]]]]).client(as: auth)
  }

  private func verdict(_ body: () throws -> some Any) throws -> RuleVerdict {
    do {
      _ = try body()
      return .yes
    } catch let error as FiefError where error.code == .malformedRules {
      #expect(error.details.first?.hasPrefix("line ") == true, "\(error)")
      return .malformed
    } catch let error as FiefError where error.code == .permissionDenied {
      return error.details.contains { $0.hasPrefix("reason: ") } ? .failed : .no
    }
  }
}

/// Expects that the rules refuse a read or a write.
func expectDenied(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any) {
  expectCode(.permissionDenied, sourceLocation: sourceLocation, body)
}
