import Foundation

/// A collection of objects that can be queried and sorted: ``List``, ``MutableSet``, ``Map`` and
/// ``LinkingObjects``.
///
/// ```swift
/// let old = person.dogs.where { $0.age > 10 }.sorted(byKeyPath: \.name)
/// let total = person.dogs.sum(of: \.weight)
/// ```
/// All operations of ``Results`` are available through ``results``; this protocol adds the most common ones.
/// Nothing is read until it is needed, and only objects that are returned are created.
public protocol ObjectCollection: ObjectQuery
where _Queried == Member, _Shaped == Results<Member> {
  /// The class of the objects.
  associatedtype Member: Object

  /// The objects as results. Unless you sort them, they are in the order of the collection.
  var results: Results<Member> { get }

  /// The objects if the collection belongs to no object in a store; otherwise `nil`.
  var _unstoredMembers: [Member]? { get }
}

extension ObjectCollection {
  /// Always `nil`, because the objects are in a store.
  public var _unstoredMembers: [Member]? { nil }

  /// Returns the results with a condition, an order or a bound.
  public func _shaped(_ change: _QueryChange<Member>) -> Results<Member> { results._shaped(change) }

  /// Computes an aggregate.
  public func _aggregate(_ request: _AggregateRequest<Member>) -> _AggregateOutcome {
    _unstoredMembers.map { UnstoredAggregate.outcome(request, of: $0) } ?? results._aggregate(request)
  }
}

extension ObjectCollection {
  /// Returns the objects in sections by the values of a property; see ``Results/sectioned(by:ascending:)``.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Member, Key>,
    ascending: Bool = true
  ) -> SectionedResults<Key, Member> { results.sectioned(by: keyPath, ascending: ascending) }

  /// Returns the index of the first object that meets a condition, or `nil` if no object meets it. No object
  /// is created.
  public func index(matching isIncluded: (Query<Member>) -> Query<Bool>) -> Int? {
    results.index(matching: isIncluded)
  }

  /// Returns the index of the first object that a predicate accepts, or `nil` if it accepts no object. No
  /// object is created.
  public func index(matching predicate: Predicate<Member>) -> Int? { results.index(matching: predicate) }

  /// Returns the index of the first object that matches a query text, or `nil` if no object matches. No
  /// object is created.
  public func index(matching format: String, _ args: Any...) -> Int? {
    results.index(matching: format, variadic: args)
  }

  /// Returns the index of the first object that matches a query text, or `nil` if no object matches. No
  /// object is created.
  public func index(matching format: String) -> Int? { results.index(matching: format) }

  /// Calls a closure with each object. All objects are read in one transaction.
  ///
  /// - Throws: the error of the closure, and the errors of ``Results/forEachObject(_:)``.
  public func forEachObject(_ body: (Member) throws -> Void) throws { try results.forEachObject(body) }

  /// Returns the plan that a read would use now; see ``Results/explain(_:)``.
  ///
  /// - Throws: ``FiefError`` for a closed store.
  public func explain(_ use: QueryPlan.Use = .objects) throws -> QueryPlan { try results.explain(use) }
}
