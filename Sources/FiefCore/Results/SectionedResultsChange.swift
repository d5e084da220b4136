import Foundation

/// A change of observed sections.
///
/// An index path is the place of a section and the place of an object in it. Deletions and modifications are places in the
/// sections as they were reported last, insertions are places in the sections as they are now, as in Realm; all of them ascend.
/// ``newModifications`` has the places of the modified objects in the sections as they are now. The
/// objects of a section that is deleted are not among the deletions, those of one that is inserted are among the
/// insertions. An object that has moved, also to another section, is a deletion and an insertion; a section that has moved
/// is deleted and inserted.
public enum SectionedResultsChange<Collection> {
  /// The sections as they are when the observation begins; it comes first, and once.
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
  /// The sections cannot be read any more; nothing comes after it.
  case error(any Error)
}

extension SectionedResultsChange: Sendable where Collection: Sendable {}

extension SectionedResultsChange {
  /// The places of the modified objects in the sections as they are now, in ascending order; empty unless the change is an
  /// `.update`.
  public var newModifications: [IndexPath] {
    guard
      case .update(let collection, let deletions, let insertions, let modifications, let added, let gone) =
        self
    else { return [] }
    let (deleted, inserted) = (Self.bySection(deletions), Self.bySection(insertions))
    let modified = Self.bySection(modifications)
    let former = modified.keys.sorted()
    var now = ElementPlaces.converted(former, without: Array(gone), among: Array(added))
    // The change of one section does not say how many sections before it have come or gone.
    if let section = collection as? any PlacedSection { now = now.map { _ in section.index } }
    return zip(former, now).flatMap { old, new in
      ElementPlaces.converted(modified[old] ?? [], without: deleted[old] ?? [], among: inserted[new] ?? [])
        .map { [new, $0] }
    }
  }

  private static func bySection(_ paths: [IndexPath]) -> [Int: [Int]] {
    Dictionary(grouping: paths, by: { $0[0] }).mapValues { $0.map { $0[1] } }
  }
}

/// One section, which knows its place among the sections.
package protocol PlacedSection {
  var index: Int { get }
}
