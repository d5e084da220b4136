import Foundation

/// A collection of objects that can be asked for some of them, in an order: ``List``, ``MutableSet``, ``Map`` and
/// ``LinkingObjects``.
///
/// ```swift
/// let old = person.dogs.where { $0.age > 10 }.sorted(byKeyPath: \.name)
/// let total = person.dogs.sum(of: \.weight)
/// ```
/// All that ``Results`` can do follows from ``results``, and the frequent operations are here. Nothing is
/// read until it is needed, and no object is made that is not returned.
public protocol ObjectCollection {
  /// The class of the objects.
  associatedtype Member: Object

  /// The objects as results: in the order of the collection until another one is asked for.
  var results: Results<Member> { get }

  /// The objects where the collection is that of no object in a store; nil where a store has it.
  var _unstoredMembers: [Member]? { get }
}

extension ObjectCollection {
  /// Nil: a store has the objects.
  public var _unstoredMembers: [Member]? { nil }
}

extension ObjectCollection {
  /// The objects for which a closure's condition holds, as ``Results/where(_:)`` has them.
  ///
  /// ```swift
  /// let puppies = person.dogs.where { $0.age < 1 }
  /// ```
  public func `where`(_ isIncluded: (Query<Member>) -> Query<Bool>) -> Results<Member> {
    results.where(isIncluded)
  }

  /// The objects for which a predicate holds, as `Results.filter(_:)` has them.
  public func filter(_ predicate: Predicate<Member>) -> Results<Member> { results.filter(predicate) }

  /// The objects for which a text is true, as ``Results/filter(_:_:)`` has them.
  ///
  /// ```swift
  /// let named = person.dogs.filter("name BEGINSWITH %@", "R")
  /// ```
  public func filter(_ format: String, _ args: Any...) -> Results<Member> {
    results.filter(format, variadic: args)
  }

  /// Returns the objects that match a query text without arguments.
  public func filter(_ format: String) -> Results<Member> { results.filter(format) }

  /// The objects in the order of a property, as ``Results/sorted(byKeyPath:ascending:)-(String,_)`` has them.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Member> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects in the order of a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Member, Value>, ascending: Bool = true) -> Results<
    Member
  > {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects in the order of several properties, the first of them deciding first.
  public func sorted(by order: [PropertyOrder]) -> Results<Member> { results.sorted(by: order) }

  /// The objects in the order of several Foundation sort descriptors.
  public func sorted(by descriptors: [SortDescriptor<Member>]) -> Results<Member> {
    results.sorted(by: descriptors)
  }

  /// The objects in the order of a Foundation sort descriptor.
  public func sorted(by descriptor: SortDescriptor<Member>) -> Results<Member> {
    results.sorted(by: descriptor)
  }

  /// The first object of those with equal values of all of some properties.
  public func distinct(by keyPaths: PartialKeyPath<Member>...) -> Results<Member> {
    results.distinct(by: keyPaths)
  }

  /// The first object of those with equal values of all of some properties.
  public func distinct(by keyPaths: [String]) -> Results<Member> { results.distinct(by: keyPaths) }

  /// At most so many of the objects, the first ones.
  public func limit(_ count: Int) -> Results<Member> { results.limit(count) }

  /// The objects in sections of equal values of a property, as ``Results/sectioned(by:ascending:)`` has them.
  public func sectioned<Key: Persistable & Hashable>(
    by keyPath: KeyPath<Member, Key>,
    ascending: Bool = true
  ) -> SectionedResults<Key, Member> { results.sectioned(by: keyPath, ascending: ascending) }

  /// The place among the objects of the first for which a condition holds, nil where there is none; none is made.
  public func index(matching isIncluded: (Query<Member>) -> Query<Bool>) -> Int? {
    results.index(matching: isIncluded)
  }

  /// The place among the objects of the first for which a predicate holds, nil where there is none; none is made.
  public func index(matching predicate: Predicate<Member>) -> Int? { results.index(matching: predicate) }

  /// The place among the objects of the first for which a text is true, nil where there is none; none is made.
  public func index(matching format: String, _ args: Any...) -> Int? {
    results.index(matching: format, variadic: args)
  }

  /// Finds the first object that matches a query text, and returns its index, or nil if no object matches. Creates no object.
  public func index(matching format: String) -> Int? { results.index(matching: format) }

  /// Calls a closure with each object, all read in one transaction.
  ///
  /// - Throws: what the closure throws, and ``FiefError`` as ``Results/forEachObject(_:)`` has it.
  public func forEachObject(_ body: (Member) throws -> Void) throws { try results.forEachObject(body) }

  /// The plan by which the objects would be found now; see ``Results/explain(_:)``.
  ///
  /// - Throws: ``FiefError`` for a closed store.
  public func explain(_ use: QueryPlan.Use = .objects) throws -> QueryPlan { try results.explain(use) }
}
