/// A query of one type: the condition on its objects, their order and their number.
///
/// The steps apply in this order, whatever the order in which they were asked for: condition, order, distinct,
/// bounds, offset, limit. The order ends with the objects' keys, so that it is the same each time; that of the
/// objects of a list or a map with their places in it.
package struct QueryDescription: Hashable, Sendable {
  package enum Limit: Hashable, Sendable {
    case first(Int)
    /// The last ones, in the order of the query.
    case last(Int)
  }

  /// The part of the description that all pages of a query have in common.
  private(set) var shape = QueryShape.all
  package var start: QueryBound?
  package var end: QueryBound?
  package var offset = 0
  package var limit: Limit?

  /// Whether nothing is asked for that the pages of a query do not share.
  var hasOnlyShape: Bool { start == nil && end == nil && offset == 0 }

  package init() {}

  package init(condition: QueryCondition) { self.condition = condition }

  /// The collection whose objects are wanted; nil for all of the type.
  package var members: QueryMembers? {
    get { shape.members }
    set { shape = QueryShape(members: newValue, condition: condition, order: order, distinct: distinct) }
  }

  package var condition: QueryCondition? {
    get { shape.condition }
    set { shape = QueryShape(members: members, condition: newValue, order: order, distinct: distinct) }
  }

  package var order: [QueryOrder] {
    get { shape.order }
    set { shape = QueryShape(members: members, condition: condition, order: newValue, distinct: distinct) }
  }

  /// The properties by which results are distinct: of the objects with equal values of all of these only the
  /// first stays.
  package var distinct: [QueryPath] {
    get { shape.distinct }
    set { shape = QueryShape(members: members, condition: condition, order: order, distinct: newValue) }
  }
}

/// A place in the order of a query, before or after which results begin or end.
package struct QueryBound: Hashable, Sendable {
  /// The values of the order's keys; fewer than there are mean all objects that begin with them.
  package var values: [QueryValue]
  /// The key of an object; nil where the values alone are meant.
  package var key: ObjectKey?
  package var isInclusive: Bool

  package init(values: [QueryValue], key: ObjectKey?, isInclusive: Bool) {
    self.values = values
    self.key = key
    self.isInclusive = isInclusive
  }
}

extension QueryDescription {
  /// Whether all objects are meant for which the condition holds.
  package var isWhole: Bool { distinct.isEmpty && start == nil && end == nil && offset == 0 && limit == nil }
}
