// The macro gives these functions their names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// The types into which `#Predicate` translates two functions of texts exist on Apple's systems only. The
// types here replace them elsewhere, and come second to any that Foundation may have one day.
#if !canImport(Darwin)
  extension PredicateExpressions {
    /// Whether a text has another one in it, without regard to case and accents.
    public struct TextContainsStandard<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      let root: Root
      let other: Other

      /// Whether it has, in plain values.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
        return try root.evaluate(bindings).range(of: try other.evaluate(bindings), options: options) != nil
      }
    }

    /// The translation of `localizedStandardContains(_:)` by `#Predicate`.
    @_disfavoredOverload
    public static func build_localizedStandardContains<Root, Other>(
      _ root: Root,
      _ other: Other
    ) -> TextContainsStandard<Root, Other> {
      TextContainsStandard(root: root, other: other)
    }

    /// The order of two texts, without regard to case.
    public struct TextCompareIgnoringCase<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      let root: Root
      let other: Other

      /// The order of the texts, as plain values.
      public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
        try root.evaluate(bindings).caseInsensitiveCompare(try other.evaluate(bindings))
      }
    }

    /// The translation of `caseInsensitiveCompare(_:)` by `#Predicate`.
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
