import FiefCore

/// The difference between two states of a collection.
///
/// Deletions index the old state, insertions and modifications the new one; all of them ascend. An element that has
/// moved is a deletion and an insertion.
package struct CollectionChanges: Sendable, Equatable {
  package var deletions: [Int] = []
  package var insertions: [Int] = []
  package var modifications: [Int] = []

  package init() {}

  /// The modifications as indexes of the old state.
  package var formerModifications: [Int] {
    ElementPlaces.converted(modifications, without: insertions, among: deletions)
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
