import FiefCore

/// The difference between two states of a collection.
///
/// Deletions are indexes into the old state; insertions and modifications are indexes into the new one. All
/// indexes are in ascending order. An element that moves is reported as a deletion and an insertion.
package struct CollectionChanges: Sendable, Equatable {
  package var deletions: [Int] = []
  package var insertions: [Int] = []
  package var modifications: [Int] = []

  package init() {}

  /// The modifications as indexes into the old state.
  package var formerModifications: [Int] {
    ElementPlaces.converted(modifications, without: insertions, among: deletions)
  }

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
