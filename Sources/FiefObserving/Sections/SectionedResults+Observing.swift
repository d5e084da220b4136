import Dispatch
import FiefCore
import Foundation

extension SectionedResults {
  /// Calls a handler with the sections and then with their changes, until the token is invalidated or
  /// released.
  ///
  /// ```swift
  /// let token = people.sectioned(by: \.city).observe { change in
  ///   if case .update(let sections, _, let insertions, _, _, _) = change {
  ///     for place in insertions { print("new:", sections[place]?.name ?? "") }
  ///   }
  /// }
  /// ```
  /// Changes are reported as for ``Results``. The key of every object is computed again for each change.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results, or `nil` for all properties. The properties that
  ///     order the sections always count.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the sections and then with their changes. An object counts as modified only if the
  /// value of one of the key paths, or of a property that orders the sections, changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    observe(
      keyPaths: keyPaths.map { PropertyOrder(keyPath: $0).keyPath },
      on: queue,
      every: interval,
      handler
    )
  }

  /// Calls a handler on an actor with the sections and then with their changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ keyPaths: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), executor, handler)
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ watched: _WatchedPaths,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    let follower = SectionsFollower(source)
    let order = results.description.order.compactMap {
      if case .path(let path) = $0.key { path } else { nil }
    }
    let paths = watched.paths.map { $0.map { $0 + order } }
    return results._observed(_WatchedPaths(paths: paths)).observe(executor) { change in
      if let change = follower.change(change) { handler(change) }
    }
  }
}

/// Derives the changes of sections from the changes of results.
// SAFETY: the calls of one observation do not overlap.
private final class SectionsFollower<Key: Persistable & Hashable, Element: Object>: @unchecked Sendable {
  private let source: SectionSource<Key, Element>
  private var known = SectionPlaces<Key>()
  /// Whether an error was reported, which ends the reports.
  private var hasFailed = false

  init(_ source: SectionSource<Key, Element>) { self.source = source }

  /// - Returns: `nil` if nothing has changed.
  func change(
    _ change: RealmCollectionChange<Results<Element>>
  ) -> SectionedResultsChange<SectionedResults<Key, Element>>? {
    if hasFailed { return nil }
    do {
      switch change {
      case .initial(let results):
        let sections = SectionedResults(results: results, source: source)
        known = try sections.places()
        return .initial(sections)
      case .update(let results, let deletions, let insertions, _):
        let sections = SectionedResults(results: results, source: source)
        let places = try sections.places()
        defer { known = places }
        let difference = SectionDifference(known, places, deletions, insertions, change.newModifications)
        if difference.isEmpty { return nil }
        return .update(
          sections,
          deletions: difference.deletions,
          insertions: difference.insertions,
          modifications: difference.modifications,
          sectionsToInsert: difference.sectionsToInsert,
          sectionsToDelete: difference.sectionsToDelete
        )
      case .error(let error):
        hasFailed = true
        return .error(error)
      }
    } catch {
      hasFailed = true
      return .error(error)
    }
  }
}
