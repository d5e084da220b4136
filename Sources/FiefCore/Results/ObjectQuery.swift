/// A query for objects: ``Results``, ``EmbeddedResults``, or an ``ObjectCollection``.
///
/// ```swift
/// let old = person.dogs.where { $0.age > 10 }.sorted(byKeyPath: \.name)
/// let oldest = try people.fetchMax(of: \.age)
/// ```
/// All of them find, sort and aggregate objects with the methods of this protocol. Nothing is read until it
/// is needed.
public protocol ObjectQuery {
  /// The class that has the properties.
  associatedtype _Queried: ObjectBase
  /// The type of the queries that the methods return.
  associatedtype _Shaped

  /// Returns the query with a condition, an order or a bound in addition.
  func _shaped(_ change: _QueryChange<_Queried>) -> _Shaped
  /// Computes an aggregate.
  func _aggregate(_ request: _AggregateRequest<_Queried>) -> _AggregateOutcome
}

/// A condition, an order or a bound that is added to a query.
public struct _QueryChange<Root: ObjectBase> {
  enum Kind {
    case condition(Result<QueryCondition, any Error>)
    case order(Result<[QueryOrder], any Error>)
    case distinct(Result<[QueryPath], any Error>)
    case limit(Int)
    case offset(Int)
    /// A query text and its arguments; `nil` for a call without arguments.
    case text(String, [Any]?)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }

  /// Changes a description. A query text needs a schema, so the query adds it.
  ///
  /// - Throws: the error of a condition or a key path that a query cannot have.
  func apply(to description: inout QueryDescription) throws {
    switch kind {
    case .condition(let condition): description.condition = .both(description.condition, try condition.get())
    case .order(let order): description.order = try order.get()
    case .distinct(let paths): description.distinct = try paths.get()
    case .limit(let count): description.limit = .first(Swift.max(0, count))
    case .offset(let count): description.offset = Swift.max(0, count)
    case .text: break
    }
  }
}
