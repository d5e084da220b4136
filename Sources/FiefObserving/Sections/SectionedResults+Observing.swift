import FiefCore
import Foundation

extension SectionedResults: ObservableContents {
  /// Returns the observation of the sections. The key of every object is computed again for each change. The
  /// properties that order the sections always count.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<SectionedResultsChange<SectionedResults>> {
    let order = results.description.order.compactMap {
      if case .path(let path) = $0.key { path } else { nil }
    }
    let paths = watched.paths.map { $0.map { $0 + order } }
    let objects = results._observation(_WatchedPaths(paths: paths), of: elements)
    return _Observation { [source] executor, onEnd, handler in
      let follower = SectionsFollower(source)
      return objects.observe(executor, onEnd: onEnd) { change in
        if let change = follower.change(change) { handler(change) }
      }
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
