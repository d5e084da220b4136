import Foundation

/// The embedded objects of a list or a map of one object, in an order: a description that is looked up each time it is
/// used.
///
/// ```swift
/// let homes = person.addresses.where { $0.city == "Bonn" }.sorted(byKeyPath: \.street)
/// ```
/// Embedded objects are in the record of the object that has them, which is read at each use, in the newest
/// state or in the scope that the object is of. In a scope they are the objects that the list has, so that
/// assignments to one in a `write { }` are written; outside they are copies. Objects that a sort finds equal
/// stay in the order of the list.
public struct EmbeddedResults<Element: EmbeddedObject>: Sendable {
  let context: ObjectContext
  let members: QueryMembers?
  private(set) var description = QueryDescription()
  private(set) var failure: FiefError?

  init(context: ObjectContext, members: QueryMembers) {
    self.context = context
    self.members = members
  }

  /// - Parameter context: reports the failure at each use that throws nothing.
  init(failure: FiefError, context: ObjectContext) {
    self.context = context
    members = nil
    self.failure = failure
  }

  private func describing(_ change: (inout QueryDescription) throws -> Void) -> EmbeddedResults {
    var results = self
    do { try change(&results.description) } catch {
      var error = FiefError.ofQuery(error)
      error.store = error.store ?? context.store?.name
      error.type = error.type ?? Element.className()
      results.failure = failure ?? error
    }
    return results
  }

  /// The objects for which a closure's condition holds too, as ``Results/where(_:)`` has them.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> EmbeddedResults {
    describing { $0.condition = .both($0.condition, try TypedQuery.condition(isIncluded)) }
  }

  /// The objects for which a predicate holds too, as `Results.filter(_:)` has them.
  public func filter(_ predicate: Predicate<Element>) -> EmbeddedResults {
    describing { $0.condition = .both($0.condition, try predicate.queryCondition()) }
  }

  /// The objects for which a text is true too, in the text's order where it has one; see ``Results/filter(_:_:)``.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults { filter(format, variadic: args) }

  /// Returns the objects that match a query text without arguments too; see ``Results/filter(_:_:)``.
  public func filter(_ format: String) -> EmbeddedResults { filter(format, variadic: nil) }

  /// - Parameter args: the values of a variadic parameter; nil for a call without arguments.
  func filter(_ format: String, variadic args: [Any]?) -> EmbeddedResults {
    describing { description in
      guard let store = context.store else {
        throw failure ?? FiefError(.storeClosed, "The store is closed.", type: Element.className())
      }
      let parsed = try QueryTextForm.parse(
        format,
        arguments: try args?.map { try QueryArgument($0) } ?? [],
        areVariadic: args != nil,
        type: try store.binding(of: Element.self).table.name,
        schema: QueryTextSchema(tables: store.tables, names: store.queryNames)
      )
      if let condition = parsed.condition { description.condition = .both(description.condition, condition) }
      if !parsed.order.isEmpty { description.order = parsed.order }
      if !parsed.distinct.isEmpty { description.distinct = parsed.distinct }
      if parsed.offset > 0 { description.offset = parsed.offset }
      if let limit = parsed.limit { description.limit = limit }
    }
  }

  /// The same objects in the order of the property with a name.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> EmbeddedResults {
    sorted(by: [PropertyOrder(keyPath: keyPath, ascending: ascending)])
  }

  /// The same objects in the order of a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true)
    -> EmbeddedResults
  {
    describing { $0.order = [QueryOrder(.path(try QueryPath.of(keyPath)), ascending: ascending)] }
  }

  /// The same objects in the order of several properties, the first of them deciding first.
  public func sorted(by order: [PropertyOrder]) -> EmbeddedResults {
    describing { $0.order = order.map(\.queryOrder) }
  }

  /// The first object of those with equal values of all of some properties.
  public func distinct(by keyPaths: PartialKeyPath<Element>...) -> EmbeddedResults {
    describing { $0.distinct = try keyPaths.map { try QueryPath.of($0) } }
  }

  /// At most so many of the objects, the first ones.
  public func limit(_ count: Int) -> EmbeddedResults { describing { $0.limit = .first(Swift.max(0, count)) } }

  /// The objects without so many of the first ones.
  public func offset(_ count: Int) -> EmbeddedResults { describing { $0.offset = Swift.max(0, count) } }
}

extension EmbeddedResults: Sequence {
  /// An iterator over the objects as they are now.
  public func makeIterator() -> IndexingIterator<[Element]> { reported([]) { try all() }.makeIterator() }

  /// Zero: the count is not looked up for it.
  public var underestimatedCount: Int { 0 }

  /// The number of objects; none is made.
  public var count: Int { reported(0) { try fetchCount() } }

  /// Whether there is no object; none is made to find out.
  public var isEmpty: Bool { count == 0 }

  /// The first object, nil where there is none.
  public var first: Element? { self[0] }

  /// The last object, nil where there is none.
  public var last: Element? { reported(nil) { try objects { $0.suffix(1) }.first } }

  /// The object at a place in the order, nil beyond the end.
  public subscript(index: Int) -> Element? {
    reported(nil) { try objects { $0.indices.contains(index) ? $0[index...index] : [] }.first }
  }

  /// Every object.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [Element] { try objects { $0[...] } }

  /// The result of `body`; where it throws, the fallback, and the error is reported to the store's event handler.
  func reported<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      context.report(error, type: Element.className(), property: (error as? FiefError)?.property)
      return fallback
    }
  }
}
