import FiefCore

/// An observation that has not begun, as returned by `_observation(_:of:)`.
public struct _Observation<Change>: Sendable {
  package typealias Handler = @Sendable (Change) -> Void
  /// Begins the observation. If that fails, the handler receives the error. The second closure is called when
  /// the observation has ended.
  package typealias Start =
    @Sendable (ObservationExecutor, @escaping @Sendable () -> Void, @escaping Handler) -> NotificationToken

  private let start: Start
  /// Returns the contents in a change, or the error that ends the observation.
  private let result: @Sendable (Change) -> Result<Any, any Error>

  package init(_ start: @escaping Start) where Change: ContentsChange {
    self.start = start
    result = { change in change.result.map { $0 as Any } }
  }

  /// Creates an observation that reports only an error.
  package init(failing error: any Error) where Change: ContentsChange {
    self.init { executor, onEnd, handler in
      executor.enqueueOnce {
        handler(.error(error))
        onEnd()
      }
    }
  }

  /// Begins the observation. If that fails, the handler receives the error.
  package func observe(
    _ executor: ObservationExecutor,
    onEnd: @escaping @Sendable () -> Void = {},
    _ handler: @escaping Handler
  ) -> NotificationToken {
    start(executor, onEnd, handler)
  }

  /// Returns the contents in a change, or `nil` for an error.
  package func contents(of change: Change) -> Any? { try? result(change).get() }

  /// Returns an observation whose changes a closure converts.
  package func map<Made: ContentsChange>(
    _ make: @escaping @Sendable (Change) -> Made
  ) -> _Observation<Made> {
    _Observation<Made> { executor, onEnd, handler in
      observe(executor, onEnd: onEnd) { handler(make($0)) }
    }
  }

  func changes(every interval: Duration?) -> ChangeSequence<Change> {
    ChangeSequence { gate, take in
      observe(.pull(gate).every(interval), onEnd: { gate.end() }) { change in
        if case .failure(let error) = result(change) { take(.failure(error)) } else { take(.success(change)) }
      }
    }
  }
}

/// A change of observed contents.
package protocol ContentsChange<Contents>: SendableMetatype {
  associatedtype Contents
  /// The contents, or the error that ends the observation.
  var result: Result<Contents, any Error> { get }
  static func error(_ error: any Error) -> Self
}

extension RealmCollectionChange: ContentsChange {
  package var result: Result<Collection, any Error> {
    switch self {
    case .initial(let collection), .update(let collection, _, _, _): .success(collection)
    case .error(let error): .failure(error)
    }
  }

  /// Returns the same change with a value that is computed from the collection.
  package func mapping<Made>(_ make: (Collection) throws -> Made) -> RealmCollectionChange<Made> {
    do {
      switch self {
      case .initial(let collection): return .initial(try make(collection))
      case .update(let collection, let deletions, let insertions, let modifications):
        return .update(
          try make(collection),
          deletions: deletions,
          insertions: insertions,
          modifications: modifications
        )
      case .error(let error): return .error(error)
      }
    } catch {
      return .error(error)
    }
  }
}

extension ObjectChange: ContentsChange {
  /// The object, or `nil` if it was deleted.
  package var result: Result<T?, any Error> {
    switch self {
    case .change(let object, _): .success(object)
    case .deleted: .success(nil)
    case .error(let error): .failure(error)
    }
  }
}

extension RealmMapChange: ContentsChange {
  package var result: Result<Collection, any Error> {
    switch self {
    case .initial(let map), .update(let map, _, _, _): .success(map)
    case .error(let error): .failure(error)
    }
  }
}

extension SectionedResultsChange: ContentsChange {
  package var result: Result<Collection, any Error> {
    switch self {
    case .initial(let sections), .update(let sections, _, _, _, _, _): .success(sections)
    case .error(let error): .failure(error)
    }
  }

  /// Returns the same change with a value that is computed from the sections.
  package func mapping<Made>(_ make: (Collection) -> Made) -> SectionedResultsChange<Made> {
    switch self {
    case .initial(let sections): .initial(make(sections))
    case .update(let sections, let deletions, let insertions, let modifications, let inserted, let deleted):
      .update(
        make(sections),
        deletions: deletions,
        insertions: insertions,
        modifications: modifications,
        sectionsToInsert: inserted,
        sectionsToDelete: deleted
      )
    case .error(let error): .error(error)
    }
  }
}
