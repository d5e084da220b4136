import Fief
import FiefRE2

/// A regular expression of a rule.
package final class RuleMatcher: Sendable {
  /// The expression in the syntax of RE2.
  private let pattern: String
  private let ignoresCase: Bool
  /// The number of compiled instructions.
  private let size: Int

  private init(_ pattern: String, ignoresCase: Bool, size: Int) {
    self.pattern = pattern
    self.ignoresCase = ignoresCase
    self.size = size
  }

  /// The number of executed instructions that cost one step.
  private static let instructionsOfStep = 16_384

  /// Returns the steps that matching a text costs. An expression may need all of its instructions for each byte.
  func steps(for text: String) -> Int {
    let (instructions, overflows) = text.utf8.count.multipliedReportingOverflow(by: size)
    return overflows ? RuleEvaluator.mostSteps : 1 + instructions / Self.instructionsOfStep
  }

  /// Checks and compiles an expression.
  ///
  /// - Throws: ``RuleSyntaxError``.
  package static func compile(_ pattern: String, ignoresCase: Bool) throws(RuleSyntaxError) -> RuleMatcher {
    let pattern = try PatternChecker.translate(pattern)
    guard let compiled = CompiledExpression(pattern, ignoresCase: ignoresCase) else {
      throw RuleSyntaxError("A regular expression is too large.", at: 0)
    }
    return RuleMatcher(pattern, ignoresCase: ignoresCase, size: compiled.size)
  }

  /// Returns whether a part of a text matches.
  ///
  /// - Throws: ``RuleFailure`` if there is not enough memory.
  package func matches(_ text: String) throws(RuleFailure) -> Bool {
    guard let expression = expression(), let result = expression.matches(text) else {
      throw RuleFailure("There is not enough memory for a regular expression.")
    }
    return result
  }

  // MARK: Recent expressions

  /// The maximum number of expressions that stay compiled, in all rules of the process. Each one may use
  /// ``CompiledExpression/largest`` bytes.
  private static let mostCompiled = 32

  /// The expressions that stay compiled, the most recent one last.
  private static let recent = Lock<[(matcher: RuleMatcher, expression: CompiledExpression)]>([])

  private func expression() -> CompiledExpression? {
    let known = Self.recent.withLock { recent -> CompiledExpression? in
      guard let index = recent.lastIndex(where: { $0.matcher === self }) else { return nil }
      if index < recent.count - 1 { recent.append(recent.remove(at: index)) }
      return recent.last?.expression
    }
    if let known { return known }
    guard let expression = CompiledExpression(pattern, ignoresCase: ignoresCase) else { return nil }
    Self.recent.withLock { recent in
      if recent.count >= Self.mostCompiled { recent.removeFirst() }
      recent.append((self, expression))
    }
    return expression
  }
}

/// An expression that RE2 has compiled.
private final class CompiledExpression: Sendable {
  /// The maximum size in bytes.
  static let largest = 1 << 20

  // SAFETY: RE2 documents that matching is safe in several threads. The pointer is freed once, by `deinit`.
  private nonisolated(unsafe) let expression: OpaquePointer

  init?(_ pattern: String, ignoresCase: Bool) {
    var pattern = pattern
    let expression = pattern.withUTF8 { bytes in
      // SAFETY: the bytes are valid during the call, and RE2 copies them.
      bytes.withMemoryRebound(to: CChar.self) {
        fief_re2_compile($0.baseAddress, $0.count, ignoresCase, Int64(Self.largest))
      }
    }
    guard let expression else { return nil }
    self.expression = expression
  }

  deinit { fief_re2_free(expression) }

  /// The number of instructions.
  var size: Int { max(0, Int(fief_re2_size(expression))) }

  /// - Returns: `nil` if there is not enough memory.
  func matches(_ text: String) -> Bool? {
    var text = text
    let result = text.withUTF8 { bytes in
      // SAFETY: RE2 reads the bytes during the call only.
      bytes.withMemoryRebound(to: CChar.self) { fief_re2_matches(expression, $0.baseAddress, $0.count) }
    }
    return result < 0 ? nil : result == 1
  }
}
