// The macro prescribes the names of these functions.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

extension PredicateExpressions {
  /// A predicate expression for the value of a key in a ``Map``; nil if the map does not contain the key.
  public struct MapKeySubscript<
    Wrapped: PredicateExpression,
    Key: PredicateExpression,
    Element: RealmCollectionValue
  >: PredicateExpression where Wrapped.Output == Map<String, Element>, Key.Output == String {
    let wrapped: Wrapped
    let key: Key

    /// Evaluates the expression for plain values.
    public func evaluate(_ bindings: PredicateBindings) throws -> Element? {
      try wrapped.evaluate(bindings)[try key.evaluate(bindings)]
    }
  }

  /// Translates the subscript of a ``Map`` for `#Predicate`.
  public static func build_subscript<Wrapped, Key, Element>(
    _ wrapped: Wrapped,
    _ key: Key
  ) -> MapKeySubscript<Wrapped, Key, Element> {
    MapKeySubscript(wrapped: wrapped, key: key)
  }
}

extension PredicateExpressions.MapKeySubscript: Sendable where Wrapped: Sendable, Key: Sendable {}
extension PredicateExpressions.MapKeySubscript: Codable where Wrapped: Codable, Key: Codable {}
extension PredicateExpressions.MapKeySubscript: StandardPredicateExpression
where Wrapped: StandardPredicateExpression, Key: StandardPredicateExpression {}

extension PredicateExpressions.MapKeySubscript: TranslatableExpression {
  func term(_ translator: inout PredicateTranslator) throws -> PredicateTerm {
    .operand(try translator.value(of: key, in: wrapped))
  }
}
