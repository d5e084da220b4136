import Foundation
import LMDB

/// The objects of a type or of a collection, in an order. A `Results` is a description of a query that runs
/// each time you use it.
///
/// ```swift
/// let old = try library.objects(Book.self).where { $0.year < 1970 }.sorted(byKeyPath: \.title)
/// print(old.count)
/// for book in old { print(book.title) }
/// ```
/// A `Results` holds no objects and no transaction, so you can keep it, copy it and send it to other threads.
/// Each use reads the newest committed state, or the state of the `read { }` or `write { }` in which the
/// results were created, while it lasts. In a `write { }` of the store, results read the state of the write,
/// wherever they were created. A damaged record is skipped and reported to the store's event handler;
/// ``forEachObject(_:)`` and ``all()`` throw instead.
///
/// ### Loops
///
/// A loop iterates over the objects that the results have when it begins, in their order at that time. It
/// visits each of these objects that still exists exactly once, even if the values by which it was found or
/// sorted have changed. It skips objects that were added in the meantime, even by the loop itself, and
/// objects that were removed from the collection of the results.
///
/// In a `read { }`, and with ``all()``, the values also belong to that time. In a `write { }` an object has
/// its current values in the write. Outside scopes a loop reads up to 64 objects together, in the newest
/// state at that time. An object that is deleted after its batch was read is still visited.
///
/// A loop copies nothing while the store does not change. When the store changes, the loop keeps the keys of
/// the remaining objects, in about 3 to 20 bytes each.
public struct Results<Element: Object>: Sendable {
  package private(set) var context: ObjectContext
  /// The class of the objects, if it was passed as a value and is a subclass of `Element`.
  private var givenType: Element.Type?
  package var description = QueryDescription()
  /// The paths of the relationships to prefetch.
  var prefetches: [QueryPath] = []
  /// The fingerprint to which the cursors in the description are bound; `nil` if there is no cursor.
  var boundTo: UInt64?
  /// Whether two cursors in the description are bound to different queries.
  var mixesCursors = false
  /// The order to which the bounds in the description belong, if they are the bounds of a section.
  var section: SectionOrder?
  /// The rows of the results, if they were passed to the handler of an observation; see ``RowCache``.
  package var known: (any RowPlaces)?
  /// The objects of frozen results; `nil` for results that reflect the newest state.
  var frozen: FrozenRows?
  /// The reason why every read fails: the store could not be opened, or the query cannot be expressed.
  private(set) var failure: FiefError?

  /// - Parameter type: the class of the objects, if it was passed as a value.
  init(context: ObjectContext, of type: Element.Type = Element.self) {
    self.context = context
    self.failure = nil
    givenType = type == Element.self ? nil : type
  }

  /// The class of the objects.
  package var elementType: Element.Type { givenType ?? Element.self }

  /// - Parameter context: reports the failure at each use that cannot throw.
  init(failure: FiefError, context: ObjectContext = ObjectContext(.plain)) {
    self.context = context
    self.failure = failure
  }

  /// Returns results whose every use fails.
  package static func failing(_ error: FiefError) -> Results { Results(failure: error) }

  /// Returns the same query in another context.
  package func rebound(to context: ObjectContext) -> Results {
    var results = self
    results.context = context
    return results
  }

  /// Returns the objects that also meet a condition.
  func filtered(by condition: QueryCondition) -> Results {
    describing { $0.condition = .both($0.condition, condition) }
  }

  /// Returns results with an error that every use throws or reports. An earlier error takes precedence.
  func failing(_ error: FiefError) -> Results {
    var results = self
    results.failure = failure ?? error
    return results
  }

  /// Returns the results with a description changed by `change`. If `change` throws, every use of the
  /// returned results fails with its error.
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

  /// Returns the result of `body`. If `body` throws, reports the error to the store's event handler and
  /// returns the fallback.
  package func reported<Value>(_ fallback: Value, _ body: () throws -> Value) -> Value {
    do { return try body() } catch {
      context.report(error, type: elementType.className(), property: (error as? FiefError)?.property)
      return fallback
    }
  }
}
