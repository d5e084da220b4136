import Foundation

/// A change of observed sections.
///
/// An index path is the index of a section and the index of an object in it. As in Realm, deletions and
/// modifications are positions in the previously reported sections; insertions are positions in the current
/// sections. Each list is in ascending order. ``newModifications`` contains the positions of the modified
/// objects in the current sections.
///
/// The deletions do not include the objects of a deleted section; the insertions include the objects of an
/// inserted section. An object that moved, even to another section, is reported as a deletion and an
/// insertion. A section that moved is reported as deleted and inserted.
public enum SectionedResultsChange<Collection> {
  /// The sections when the observation begins. They are reported first, and only once.
  case initial(Collection)
  /// The sections have changed.
  case update(
    Collection,
    deletions: [IndexPath],
    insertions: [IndexPath],
    modifications: [IndexPath],
    sectionsToInsert: IndexSet,
    sectionsToDelete: IndexSet
  )
  /// The sections can no longer be read. This is the last report.
  case error(any Error)
}

extension SectionedResultsChange: Sendable where Collection: Sendable {}

extension SectionedResultsChange {
  /// The positions of the modified objects in the current sections, in ascending order; empty unless the
  /// change is an `.update`.
  public var newModifications: [IndexPath] {
    guard
      case .update(let collection, let deletions, let insertions, let modifications, let added, let gone) =
        self
    else { return [] }
    let (deleted, inserted) = (Self.bySection(deletions), Self.bySection(insertions))
    let modified = Self.bySection(modifications)
    let former = modified.keys.sorted()
    var now = ElementPlaces.converted(former, without: Array(gone), among: Array(added))
    // A change of one section does not contain the insertions and deletions of other sections.
    if let section = collection as? any IndexedSection { now = now.map { _ in section.index } }
    return zip(former, now).flatMap { old, new in
      ElementPlaces.converted(modified[old] ?? [], without: deleted[old] ?? [], among: inserted[new] ?? [])
        .map { [new, $0] }
    }
  }

  private static func bySection(_ paths: [IndexPath]) -> [Int: [Int]] {
    Dictionary(grouping: paths, by: { $0[0] }).mapValues { $0.map { $0[1] } }
  }
}

/// A section that has an index among the sections.
package protocol IndexedSection {
  var index: Int { get }
}
