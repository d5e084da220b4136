import Foundation

/// The embedded objects of a list or a map of one object, in an order. This type describes a query that runs
/// each time you use it.
///
/// ```swift
/// let homes = person.addresses.where { $0.city == "Bonn" }.sorted(byKeyPath: \.street)
/// ```
/// Embedded objects are stored in the record of the object that owns them. Each use reads this record in the
/// newest state, or in the scope of the owner. In a scope the results return the objects of the list itself,
/// so assignments in a `write { }` are saved; outside scopes they return copies. Objects that compare as
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

  /// Returns the results with a condition, an order or a bound in addition.
  public func _shaped(_ change: _QueryChange<Element>) -> EmbeddedResults {
    describing { description in
      guard case .text(let text, let arguments) = change.kind else {
        return try change.apply(to: &description)
      }
      description.add(try parsed(text, arguments))
    }
  }

  private func parsed(_ text: String, _ arguments: [Any]?) throws -> QueryDescription {
    guard let store = context.store else {
      throw failure ?? FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    return try QueryTextForm.parse(
      text,
      arguments: try arguments?.map { try QueryArgument($0) } ?? [],
      areVariadic: arguments != nil,
      type: try store.binding(of: Element.self).table.name,
      schema: QueryTextSchema(tables: store.tables, names: store.queryNames)
    )
  }
}

extension EmbeddedResults: Sequence {
  /// Returns an iterator over the current objects.
  public func makeIterator() -> IndexingIterator<[Element]> { reported([]) { try all() }.makeIterator() }

  /// The number of objects. No object is created.
  public var count: Int { reported(0) { try fetchCount() } }

  /// A Boolean value that indicates whether there are no objects. No object is created.
  public var isEmpty: Bool { count == 0 }

  /// The first object, or `nil` if there are no objects.
  public var first: Element? { self[0] }

  /// The last object, or `nil` if there are no objects.
  public var last: Element? { reported(nil) { try objects { $0.suffix(1) }.first } }

  /// Returns the object at an index, or `nil` if the index is out of range.
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
