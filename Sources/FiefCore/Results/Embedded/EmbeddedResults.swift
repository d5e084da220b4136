import Foundation

/// The embedded objects of a list or a map of one object, in an order. This type describes a query that runs
/// each time it is used.
///
/// ```swift
/// let homes = person.addresses.where { $0.city == "Bonn" }.sorted(byKeyPath: \.street)
/// ```
/// Embedded objects are stored in the record of the object that owns them. Each use reads this record in the
/// newest state, or in the scope of the owner. In a scope the results return the objects of the list itself,
/// so a `write { }` writes assignments to them; outside of scopes they return copies. Objects that compare
/// equal when sorting keep the order of the list.
public struct EmbeddedResults<Element: EmbeddedObject>: Sendable {
  let context: ObjectContext
  let members: QueryMembers?
  private(set) var description = QueryDescription()
  private(set) var failure: FiefError?

  init(context: ObjectContext, members: QueryMembers) {
    self.context = context
    self.members = members
  }

  /// - Parameter context: reports the failure at each use that cannot throw.
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

  /// Returns the objects that also meet a condition; see ``Results/where(_:)``.
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> EmbeddedResults {
    describing { $0.condition = .both($0.condition, try TypedQuery.condition(isIncluded)) }
  }

  /// Returns the objects that a predicate also accepts, as `Results.filter(_:)` does.
  public func filter(_ predicate: Predicate<Element>) -> EmbeddedResults {
    describing { $0.condition = .both($0.condition, try predicate.queryCondition()) }
  }

  /// Returns the objects that also match a query text. If the text has an order, it replaces the current
  /// order; see ``Results/filter(_:_:)``.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults { filter(format, variadic: args) }

  /// Returns the objects that also match a query text without arguments; see ``Results/filter(_:_:)``.
  public func filter(_ format: String) -> EmbeddedResults { filter(format, variadic: nil) }

  /// - Parameter args: the values of a variadic parameter; `nil` for a call without arguments.
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

  /// Returns the objects, sorted by the named property.
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> EmbeddedResults {
    sorted(by: [PropertyOrder(keyPath: String(keyPath), ascending: ascending)])
  }

  /// Returns the objects, sorted by a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true)
    -> EmbeddedResults
  {
    describing { $0.order = [QueryOrder(.path(try QueryPath.of(keyPath)), ascending: ascending)] }
  }

  /// Returns the objects, sorted by several properties. The first property has the highest precedence.
  public func sorted(by order: [PropertyOrder]) -> EmbeddedResults {
    describing { $0.order = order.map(\.queryOrder) }
  }

  /// Returns the first object for each distinct combination of values of some properties.
  public func distinct(by keyPaths: PartialKeyPath<Element>...) -> EmbeddedResults {
    describing { $0.distinct = try keyPaths.map { try QueryPath.of($0) } }
  }

  /// Returns the first objects, up to a number.
  public func limit(_ count: Int) -> EmbeddedResults { describing { $0.limit = .first(Swift.max(0, count)) } }

  /// Returns the objects after the first ones.
  public func offset(_ count: Int) -> EmbeddedResults { describing { $0.offset = Swift.max(0, count) } }
}

extension EmbeddedResults: Sequence {
  /// Returns an iterator over the objects as they are now.
  public func makeIterator() -> IndexingIterator<[Element]> { reported([]) { try all() }.makeIterator() }

  /// Always zero, because finding the count would cost a read.
  public var underestimatedCount: Int { 0 }

  /// The number of objects. No object is created.
  public var count: Int { reported(0) { try fetchCount() } }

  /// A Boolean value that indicates whether there are no objects. No object is created.
  public var isEmpty: Bool { count == 0 }

  /// The first object, or `nil` if there are no objects.
  public var first: Element? { self[0] }

  /// The last object, or `nil` if there are no objects.
  public var last: Element? { reported(nil) { try objects { $0.suffix(1) }.first } }

  /// Returns the object at an index, or `nil` beyond the end.
  public subscript(index: Int) -> Element? {
    reported(nil) { try objects { $0.indices.contains(index) ? $0[index...index] : [] }.first }
  }

  /// Returns all objects.
  ///
  /// - Throws: ``FiefError`` for a closed store, a damaged record, or a query that cannot be answered.
  public func all() throws -> [Element] { try objects { $0[...] } }

  /// Returns the result of `body`. If `body` throws, reports the error to the store's event handler and
  /// returns the fallback.
  func reported<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      context.report(error, type: Element.className(), property: (error as? FiefError)?.property)
      return fallback
    }
  }
}
