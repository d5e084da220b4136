import Foundation

/// A collection of objects that can be queried and sorted: ``List``, ``MutableSet``, ``Map`` and
/// ``LinkingObjects``.
///
/// ```swift
/// let old = person.dogs.where { $0.age > 10 }.sorted(byKeyPath: \.name)
/// let total = person.dogs.sum(of: \.weight)
/// ```
/// Everything that ``Results`` can do is available through ``results``; this protocol adds the most common
/// operations. Nothing is read until it is needed, and only objects that are returned are created.
public protocol ObjectCollection {
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
}

extension ObjectCollection {
  /// Returns the objects that meet a condition; see ``Results/where(_:)``.
  ///
  /// ```swift
  /// let puppies = person.dogs.where { $0.age < 1 }
  /// ```
  public func `where`(_ isIncluded: (Query<Member>) -> Query<Bool>) -> Results<Member> {
    results.where(isIncluded)
  }

  /// Returns the objects that a predicate accepts, as `Results.filter(_:)` does.
  public func filter(_ predicate: Predicate<Member>) -> Results<Member> { results.filter(predicate) }

  /// Returns the objects that match a query text; see ``Results/filter(_:_:)``.
  ///
  /// ```swift
  /// let named = person.dogs.filter("name BEGINSWITH %@", "R")
  /// ```
  public func filter(_ format: String, _ args: Any...) -> Results<Member> {
    results.filter(format, variadic: args)
  }

  /// Returns the objects that match a query text without arguments.
  public func filter(_ format: String) -> Results<Member> { results.filter(format) }

  /// Returns the objects, sorted by a property; see `Results.sorted(byKeyPath:ascending:)`.
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> Results<Member> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the objects, sorted by a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Member, Value>, ascending: Bool = true) -> Results<
    Member
  > {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the objects, sorted by several properties. The first property has the highest precedence.
  public func sorted(by order: [PropertyOrder]) -> Results<Member> { results.sorted(by: order) }

  /// Returns the objects, sorted by several Foundation sort descriptors.
  public func sorted(by descriptors: [SortDescriptor<Member>]) -> Results<Member> {
    results.sorted(by: descriptors)
  }

  /// Returns the objects, sorted by a Foundation sort descriptor.
  public func sorted(by descriptor: SortDescriptor<Member>) -> Results<Member> {
    results.sorted(by: descriptor)
  }

  /// Returns the first object for each distinct combination of values of some properties.
  public func distinct(by keyPaths: PartialKeyPath<Member>...) -> Results<Member> {
    results.distinct(by: keyPaths)
  }

  /// Returns the first object for each distinct combination of values of some properties.
  public func distinct(by keyPaths: [String]) -> Results<Member> { results.distinct(by: keyPaths) }

  /// Returns the first objects, up to a number.
  public func limit(_ count: Int) -> Results<Member> { results.limit(count) }

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
