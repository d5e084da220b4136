import Dispatch
import FiefCore
import Foundation

extension ResultsSection {
  /// Calls a handler with the section and then with its changes, until the token is invalidated or released.
  ///
  /// ```swift
  /// let token = sections[0]?.observe { change in
  ///   if case .update(let section, let deletions, let insertions, _, _, _) = change { print(section.key,
  ///   insertions) }
  /// }
  /// ```
  /// The section is identified by its key. When the section disappears, it is reported once with
  /// `sectionsToDelete`; when it appears again, with `sectionsToInsert`. Index paths begin with the index of
  /// the section, as for all sections.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for ``SectionedResults``.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes of this section only.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the section and then with its changes. An object counts as modified only if the
  /// value of one of the key paths changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    observe(
      keyPaths: keyPaths.map { PropertyOrder(keyPath: $0).keyPath },
      on: queue,
      every: interval,
      handler
    )
  }

  /// Calls a handler on an actor with the section and then with its changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ keyPaths: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), executor, handler)
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ watched: _WatchedPaths,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    if isPlaceholder {
      let error = FiefError(
        .objectNotFound,
        "The sections have no section at the index, so it cannot be observed. Observe all sections.",
        type: Element.className(),
        details: ["the index: \(index)"]
      )
      return executor.enqueueOnce { handler(.error(error)) }
    }
    let follower = SectionFollower(self)
    return sections.observe(watched, executor) { change in
      if let change = follower.change(change) { handler(change) }
    }
  }

  /// The section without objects, reported while the section does not exist.
  fileprivate var emptied: ResultsSection {
    ResultsSection(index: index, key: key, count: 0, objects: objects.among([]), sections: sections)
  }
}

/// Derives the changes of one section from the changes of all sections.
// SAFETY: the calls of one observation do not overlap.
private final class SectionFollower<Key: Persistable & Hashable, Element: Object>: @unchecked Sendable {
  typealias Section = ResultsSection<Key, Element>

  private let key: Key
  private let absent: Section
  /// The last reported index of the section, or `nil` if the section did not exist.
  private var place: Int?

  init(_ section: Section) {
    key = section.key
    absent = section.emptied
  }

  /// - Returns: `nil` if the section has not changed.
  func change(
    _ change: SectionedResultsChange<SectionedResults<Key, Element>>
  ) -> SectionedResultsChange<Section>? {
    do {
      switch change {
      case .initial(let sections):
        let section = try section(of: sections)
        place = section?.index
        return .initial(section ?? absent)
      case .update(
        let sections,
        let deletions,
        let insertions,
        let modifications,
        let inserted,
        let deleted
      ):
        let section = try section(of: sections)
        let former = place
        place = section?.index
        let ownDeletions = deletions.filter { $0[0] == former }
        let ownInsertions = insertions.filter { $0[0] == place }
        let ownModifications = modifications.filter { $0[0] == former }
        let isInserted = place.map(inserted.contains) ?? false
        let isDeleted = former.map(deleted.contains) ?? false
        if ownDeletions.isEmpty, ownInsertions.isEmpty, ownModifications.isEmpty, !isInserted, !isDeleted {
          return nil
        }
        return .update(
          section ?? absent,
          deletions: ownDeletions,
          insertions: ownInsertions,
          modifications: ownModifications,
          sectionsToInsert: isInserted ? [place ?? 0] : [],
          sectionsToDelete: isDeleted ? [former ?? 0] : []
        )
      case .error(let error): return .error(error)
      }
    } catch {
      return .error(error)
    }
  }

  private func section(of sections: SectionedResults<Key, Element>) throws -> Section? {
    try sections.all().first { $0.key.isSame(as: key) }
  }
}
