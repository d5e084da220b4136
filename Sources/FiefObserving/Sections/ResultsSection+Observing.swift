import FiefCore
import Foundation

extension ResultsSection: ObservableContents {
  /// Returns the observation of the section, which is identified by its key.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<SectionedResultsChange<ResultsSection>> {
    if isPlaceholder {
      return _Observation(
        failing: FiefError(
          .objectNotFound,
          "The sections have no section at the index, so it cannot be observed. Observe all sections.",
          type: Element.className(),
          details: ["the index: \(index)"]
        )
      )
    }
    let all = sections._observation(watched, of: elements)
    // SAFETY: nothing changes the section or its key.
    nonisolated(unsafe) let section = self
    return _Observation { executor, onEnd, handler in
      let follower = SectionFollower(section)
      return all.observe(executor, onEnd: onEnd) { change in
        if let change = follower.change(change) { handler(change) }
      }
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
