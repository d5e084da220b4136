/// What became of a collection.
///
/// Deletions index what the collection was, insertions and modifications what it is; all of them ascend. What has moved
/// is a deletion and an insertion.
package struct CollectionChanges: Sendable, Equatable {
  package var deletions: [Int] = []
  package var insertions: [Int] = []
  package var modifications: [Int] = []

  package init() {}

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
