// The macro prescribes the names of these functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// `#Predicate` translates two methods of text into types that exist only on Apple's platforms. The types here
// replace them elsewhere. They are disfavored, so that types that Foundation may add later take precedence.
#if !canImport(Darwin)
  extension PredicateExpressions {
    /// A predicate expression that tests whether a text contains another text, ignoring case and accents.
    public struct TextContainsStandard<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      let root: Root
      let other: Other

      /// Evaluates the expression for plain values.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        return try root.evaluate(bindings).range(of: try other.evaluate(bindings), options: options) != nil
      }
    }

    /// Translates `localizedStandardContains(_:)` for `#Predicate`.
    @_disfavoredOverload
    public static func build_localizedStandardContains<Root, Other>(
      _ root: Root,
      _ other: Other
    ) -> TextContainsStandard<Root, Other> {
      TextContainsStandard(root: root, other: other)
    }

    /// A predicate expression for the order of two texts, ignoring case.
    public struct TextCompareIgnoringCase<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      let root: Root
      let other: Other

      /// Evaluates the expression for plain values.
      public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
        try root.evaluate(bindings).caseInsensitiveCompare(try other.evaluate(bindings))
      }
    }

    /// Translates `caseInsensitiveCompare(_:)` for `#Predicate`.
    @_disfavoredOverload
    public static func build_caseInsensitiveCompare<Root, Other>(
      _ root: Root,
      _ other: Other
    ) -> TextCompareIgnoringCase<Root, Other> {
      TextCompareIgnoringCase(root: root, other: other)
    }
  }

  extension PredicateExpressions.TextContainsStandard: Sendable where Root: Sendable, Other: Sendable {}
  extension PredicateExpressions.TextContainsStandard: Codable where Root: Codable, Other: Codable {}
  extension PredicateExpressions.TextContainsStandard: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.TextContainsStandard: TranslatableExpression {
    func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
      try translator.containsStandard(root, other)
    }
  }

  extension PredicateExpressions.TextCompareIgnoringCase: Sendable where Root: Sendable, Other: Sendable {}
  extension PredicateExpressions.TextCompareIgnoringCase: Codable where Root: Codable, Other: Codable {}
  extension PredicateExpressions.TextCompareIgnoringCase: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.TextCompareIgnoringCase: TranslatableExpression {
    func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
      .order(try translator.operand(root), try translator.operand(other), .caseInsensitive)
    }
  }
#endif
