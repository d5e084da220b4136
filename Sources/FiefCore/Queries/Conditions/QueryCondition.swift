/// The condition of a query, whether it was written as a closure, as a `#Predicate` or as text.
///
/// A condition is true or false, never unknown. Nil equals only nil, and is neither less nor greater than any
/// value. `!=` is the opposite of `==`. Texts are compared and ordered by their UTF-8 bytes.
package indirect enum QueryCondition: Hashable, Sendable {
  case constant(Bool)
  case not(QueryCondition)
  /// A conjunction. It is true if it has no conditions.
  case all([QueryCondition])
  /// A disjunction. It is false if it has no conditions.
  case any([QueryCondition])
  case comparison(QueryOperand, QueryComparison, QueryOperand, QueryTextOptions = [])
  case oneOf(QueryOperand, [QueryValue], QueryTextOptions = [])
  /// A condition on the elements of a collection. Inside it, scope 0 is the element.
  case quantified(QueryQuantifier, QueryCollection, QueryCondition)
  /// A full-text condition: the property contains all words of the text.
  case matches(QueryPath, String)
  /// A geospatial condition: an embedded object is a point in the region.
  case within(QueryPath, GeoRegion)
}

package enum QueryQuantifier: String, Hashable, Sendable, CaseIterable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

extension QueryCondition {
  /// Compares two conditions. Texts are equal if their UTF-8 bytes are equal, as in a store.
  package static func == (first: QueryCondition, second: QueryCondition) -> Bool {
    switch (first, second) {
    case (.constant(let first), .constant(let second)): first == second
    case (.not(let first), .not(let second)): first == second
    case (.all(let first), .all(let second)), (.any(let first), .any(let second)): first == second
    case (
      .comparison(let left, let first, let right, let options),
      .comparison(let otherLeft, let second, let otherRight, let otherOptions)
    ):
      first == second && options == otherOptions && left == otherLeft && right == otherRight
    case (.oneOf(let first, let values, let options), .oneOf(let second, let others, let otherOptions)):
      options == otherOptions && first == second && values == others
    case (
      .quantified(let first, let collection, let condition),
      .quantified(let second, let other, let otherCondition)
    ):
      first == second && collection == other && condition == otherCondition
    case (.matches(let path, let words), .matches(let other, let otherWords)):
      path == other && words.hasSameBytes(as: otherWords)
    case (.within(let path, let region), .within(let other, let otherRegion)):
      path == other && region == otherRegion
    default: false
    }
  }

  /// Returns the conjunction of two conditions, without nesting one conjunction in another.
  package static func both(_ first: QueryCondition?, _ second: QueryCondition) -> QueryCondition {
    switch (first, second) {
    case (nil, _): second
    case (.all(let first)?, .all(let second)): .all(first + second)
    case (.all(let first)?, _): .all(first + [second])
    case (let first?, .all(let second)): .all([first] + second)
    case (let first?, _): .all([first, second])
    }
  }
}
