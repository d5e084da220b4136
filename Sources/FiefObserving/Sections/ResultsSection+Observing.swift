import Dispatch
import FiefCore
import Foundation

extension ResultsSection {
  /// Calls a handler with the section, and then with its changes, until the token ends.
  ///
  /// ```swift
  /// let token = sections[0]?.observe { change in
  ///   if case .update(let section, let deletions, let insertions, _, _, _) = change { print(section.key, insertions) }
  /// }
  /// ```
  /// The section is followed by its key: while there is none, it is reported once with `sectionsToDelete`,
  /// and again with `sectionsToInsert` when there is one. Index paths have the place of the section first, as
  /// those of all sections have.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for ``SectionedResults``.
  ///   - queue: the queue on which the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes of this section alone.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the section, and then with its changes; only the values of some properties of the
  /// objects count as modifications.
  ///
  /// - Returns: the token that keeps the observation going.
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

  /// Calls a handler on an actor with the section, and then with its changes.
  ///
  /// - Returns: the token that keeps the observation going.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation; if that is impossible, the handler gets the error.
  package func observe(
    _ keyPaths: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    let follower = SectionFollower(self)
    return sections.observe(keyPaths, executor) { change in
      if let change = follower.change(change) { handler(change) }
    }
  }

  /// The section without any object, for one that is not there.
  fileprivate var emptied: ResultsSection {
    ResultsSection(index: index, key: key, count: 0, objects: objects.among([]), sections: sections)
  }
}

/// Makes changes of one section from those of all.
// SAFETY: the calls of one observation come one after another.
private final class SectionFollower<Key: Persistable & Hashable, Element: Object>: @unchecked Sendable {
  typealias Section = ResultsSection<Key, Element>

  private let key: Key
  private let absent: Section
  /// The former place of the section; nil where there was none.
  private var place: Int?

  init(_ section: Section) {
    key = section.key
    absent = section.emptied
  }

  /// - Returns: nil where nothing of the section has changed.
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
