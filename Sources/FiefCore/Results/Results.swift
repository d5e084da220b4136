import Foundation
import LMDB

/// The objects of a type or of a collection, in an order: a description that is looked up each time it is used.
///
/// A `Results` holds no objects and no transaction, so it can be kept, copied and sent to other threads.
/// Each use sees the newest committed state, or the state of the `read { }` or `write { }` it came from
/// while that lasts; in a `write { }` of the store that of the write, wherever else it came from. A damaged record is left out
/// and reported to the event handler of the store; ``forEachObject(_:)`` and ``all()`` throw instead.
///
/// ### Loops
///
/// A loop has the objects of the moment when it began, in the order of that moment. It meets each of them that still exists
/// exactly once, also if a value changed by which it was found or ordered. It leaves out objects that were added meanwhile, also by its
/// own turns, and objects that were taken out of the collection of the results.
///
/// In a `read { }` and by ``all()`` the values are of that moment too. In a `write { }` an object has its values in the write.
/// Outside of scopes a loop reads up to 64 objects together, as the store has them then. An object that was deleted after that is still met.
///
/// A loop copies nothing as long as the store does not change. When it changes, the loop keeps the keys of the objects that are left, in about 3 to 20
/// bytes each.
public struct Results<Element: Object>: Sendable {
  package private(set) var context: ObjectContext
  /// The class of the objects, where it was given as a value and is one that inherits from `Element`.
  private var givenType: Element.Type?
  /// The query.
  package var description = QueryDescription()
  /// The paths along which objects are looked up together with those of the results.
  var prefetches: [QueryPath] = []
  /// The fingerprint that the cursors in the description are bound to; nil where there is none.
  var boundTo: UInt64?
  /// Whether two of them are bound to different queries.
  var mixesCursors = false
  /// The order of sections that the bounds in the description are places in, where they are those of a section.
  var section: SectionOrder?
  /// Which rows these are, where a handler was handed them; see ``KnownRows``.
  package var known: (any RowPlaces)?
  /// The objects of one state that the results always have; nil for results that see the newest state.
  var frozen: FrozenRows?
  /// Why nothing can be looked up: the store could not be opened, or the query cannot be expressed.
  private(set) var failure: FiefError?

  /// - Parameter type: the class of the objects, if it was given as a value.
  init(context: ObjectContext, of type: Element.Type = Element.self) {
    self.context = context
    self.failure = nil
    givenType = type == Element.self ? nil : type
  }

  /// The class of the objects.
  package var elementType: Element.Type { givenType ?? Element.self }

  /// - Parameter context: reports the failure at each use that throws nothing.
  init(failure: FiefError, context: ObjectContext = ObjectContext()) {
    self.context = context
    self.failure = failure
  }

  /// Results whose every use fails.
  package static func failing(_ error: FiefError) -> Results { Results(failure: error) }

  /// The same results as a scope sees them.
  package func rebound(to context: ObjectContext) -> Results {
    var results = self
    results.context = context
    return results
  }

  /// The objects for which a condition holds too.
  func filtered(by condition: QueryCondition) -> Results {
    describing { $0.condition = .both($0.condition, condition) }
  }

  /// The same results, whose every use fails: the first error counts.
  func failing(_ error: FiefError) -> Results {
    var results = self
    results.failure = failure ?? error
    return results
  }

  /// The results with a description that `change` has changed; failing with its error.
  package func describing(_ change: (inout QueryDescription) throws -> Void) -> Results {
    var results = self
    do { try change(&results.description) } catch {
      let unexpected = FiefError(.invalidQuery, "The query cannot be expressed.", underlying: error)
      var failure = error as? FiefError ?? unexpected
      failure.store = failure.store ?? context.store?.name
      failure.type = failure.type ?? elementType.className()
      return failing(failure)
    }
    return results
  }

  /// The result of `body`; where it throws, the fallback, and the error is reported to the store's event handler.
  package func reported<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      context.report(error, type: elementType.className(), property: (error as? FiefError)?.property)
      return fallback
    }
  }
}
