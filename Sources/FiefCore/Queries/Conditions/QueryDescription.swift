/// A query of one type: the condition on its objects, their order and their number.
///
/// The parts always apply in this order, whatever the order of the calls that added them: condition, order,
/// distinct, bounds, offset, limit. The object key is the last sort key, which makes the order deterministic;
/// for the objects of a list or a map it is the position in the collection.
package struct QueryDescription: Hashable, Sendable {
  package enum Limit: Hashable, Sendable {
    case first(Int)
    /// The last objects in the order of the query.
    case last(Int)
  }

  /// The part of the description that all pages of a query share.
  private(set) var shape = QueryShape.all
  package var start: QueryBound?
  package var end: QueryBound?
  package var offset = 0
  package var limit: Limit?

  /// Whether the description has only parts that all pages share. A limit is allowed.
  var hasOnlyShape: Bool { start == nil && end == nil && offset == 0 }

  package init() {}

  package init(condition: QueryCondition) { self.condition = condition }

  /// The collection whose objects the query selects from, or `nil` to select from all objects of the type.
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

  /// The properties that make results distinct. Of several objects with equal values of all these properties,
  /// only the first is kept.
  package var distinct: [QueryPath] {
    get { shape.distinct }
    set { shape = QueryShape(members: members, condition: condition, order: order, distinct: newValue) }
  }
}

/// A position in the order of a query at which results begin or end.
package struct QueryBound: Hashable, Sendable {
  /// The values of the order's sort keys. If there are fewer values than sort keys, the bound includes all
  /// objects whose sort keys begin with these values.
  package var values: [QueryValue]
  /// The key of an object, or `nil` if only the values define the position.
  package var key: ObjectKey?
  package var isInclusive: Bool

  package init(values: [QueryValue], key: ObjectKey?, isInclusive: Bool) {
    self.values = values
    self.key = key
    self.isInclusive = isInclusive
  }
}

extension QueryDescription {
  /// Whether the query selects every object that meets its condition.
  package var isWhole: Bool { distinct.isEmpty && start == nil && end == nil && offset == 0 && limit == nil }
}
