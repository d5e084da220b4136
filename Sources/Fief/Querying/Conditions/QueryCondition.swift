/// The condition of a query, however it was written: as a closure, as a `#Predicate` or as text.
///
/// It is true or false, never unknown: nil equals nil and nothing else, and is neither less nor greater than
/// anything; `!=` is the opposite of `==`. Texts are equal if their bytes are, and ordered by them.
package indirect enum QueryCondition: Hashable, Sendable {
  case constant(Bool)
  case not(QueryCondition)
  /// True if there is none.
  case all([QueryCondition])
  /// False if there is none.
  case any([QueryCondition])
  case comparison(QueryOperand, QueryComparison, QueryOperand, QueryTextOptions = [])
  case oneOf(QueryOperand, [QueryValue], QueryTextOptions = [])
  /// A condition about the elements of a collection: in it, scope 0 is the element.
  case quantified(QueryQuantifier, QueryCollection, QueryCondition)
  /// The words of a text are among those of a property.
  case matches(QueryPath, String)
  /// An embedded object is a point in a region.
  case within(QueryPath, GeoRegion)
}

package enum QueryQuantifier: String, Hashable, Sendable, CaseIterable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

extension QueryCondition {
  /// Both, without a level of its own where one already is a conjunction.
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
