/// The difference between two states of a collection.
///
/// Deletions index the old state, insertions and modifications the new one; all of them ascend. An element that has
/// moved is a deletion and an insertion.
package struct CollectionChanges: Sendable, Equatable {
  package var deletions: [Int] = []
  package var insertions: [Int] = []
  package var modifications: [Int] = []

  package init() {}

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
