import Foundation

/// A change of observed sections.
///
/// An index path is the place of a section and that of an object in it. Deletions are places in the sections as they were
/// when they were reported last, insertions and modifications places in the sections as they are; all of them ascend. The
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
