import Foundation
import LMDB

/// The objects of a type, in an order: a description that is looked up each time it is used.
///
/// A `Results` holds no objects and no transaction, so it can be kept, copied and sent to other threads.
/// Each use sees the newest committed state, or the state of the `read { }` or `write { }` it came from
/// while that lasts. Iterating outside of a scope reads in batches, each from the newest state: an object
/// that exists all along is seen exactly once. A damaged record is left out and reported to the event
/// handler of the store; ``forEachObject(_:)`` and ``all()`` throw instead.
public struct Results<Element: Object>: Sendable {
  let context: ObjectContext
  var order: [PropertyOrder] = []
  /// All of them must hold.
  private(set) var predicates: [Predicate<Element>] = []
  private(set) var hasPredicates = false
  /// What is asked for.
  var description = QueryDescription()
  /// Why nothing can be looked up: the store could not be opened, or the query cannot be expressed.
  private(set) var failure: FiefError?

  init(context: ObjectContext) {
    self.context = context
    self.failure = nil
  }

  init(failure: FiefError) {
    self.context = ObjectContext()
    self.failure = failure
  }

  /// The same objects in the order of a property.
  ///
  /// - Parameters:
  ///   - keyPath: the property's name. A name that the type does not have throws where objects are read,
  ///     and gives no objects where reading cannot throw.
  ///   - ascending: whether smaller values come first; nil is smaller than anything. Text is ordered by
  ///     its UTF-8 bytes.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results {
    sorted(by: [PropertyOrder(keyPath: keyPath, ascending: ascending)])
  }

  /// The same objects in the order of a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results {
    let name = PropertyTracer.property(keyPath)?.name ?? "\(keyPath)"
    return sorted(byKeyPath: name, ascending: ascending)
  }

  /// The same objects in the order of several properties, the first of them deciding first.
  public func sorted(by order: [PropertyOrder]) -> Results {
    var results = self
    results.order = order
    return results
  }

  /// The objects for which a predicate holds.
  public func filter(_ predicate: Predicate<Element>) -> Results {
    var results = self
    results.predicates.append(predicate)
    results.hasPredicates = true
    return results
  }

  /// The objects for which a condition holds too.
  func filtered(by condition: QueryCondition) -> Results {
    var results = self
    results.description.condition = .both(description.condition, condition)
    return results
  }

  /// The same results, whose every use fails: the first error counts.
  func failing(_ error: FiefError) -> Results {
    var results = self
    results.failure = failure ?? error
    return results
  }

  /// The number of objects; without a predicate it is known without looking at them.
  public var count: Int {
    reported(0) { try countObjects() }
  }

  /// Whether there is no object.
  public var isEmpty: Bool { first == nil }

  /// The first object, nil where there is none.
  public var first: Element? {
    var iterator = makeIterator()
    return iterator.next()
  }

  /// The last object, nil where there is none.
  public var last: Element? {
    reported(nil) { try object { $0.indices.last } }
  }

  /// The object at a place in the order, nil beyond the end.
  public subscript(index: Int) -> Element? {
    reported(nil) { try object { $0.indices.contains(index) ? index : nil } }
  }

  /// Every object, read in one transaction.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a property that does not exist.
  public func all() throws -> [Element] {
    var objects: [Element] = []
    try forEachObject { objects.append($0) }
    return objects
  }

  private func countObjects() throws -> Int {
    if let failure { throw failure }
    guard !hasPredicates else { return try objectKeys().count }
    return try withTransaction { store, transaction, _ in
      try store.count(try store.binding(of: Element.self).table, in: transaction)
    }
  }

  func reported<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      context.report(error, type: Element.className(), property: nil)
      return fallback
    }
  }
}

/// A property to order by.
public struct PropertyOrder: Sendable, Hashable {
  /// The property's name.
  public var keyPath: String
  /// Whether smaller values come first.
  public var ascending: Bool

  /// Makes an order by a property.
  public init(keyPath: String, ascending: Bool = true) {
    self.keyPath = keyPath
    self.ascending = ascending
  }
}
