/// What became of a collection: deletions index what it was, insertions and modifications what it is; all ascend.
package struct CollectionChanges: Sendable, Equatable {
  package var deletions: [Int] = []
  package var insertions: [Int] = []
  package var modifications: [Int] = []

  package init() {}

  package var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }
}
