import Foundation

/// The difference between two states of sections, computed from the differences of their rows.
package struct SectionDifference {
  package private(set) var deletions: [IndexPath] = []
  package private(set) var insertions: [IndexPath] = []
  /// The index paths of the modified objects in the old state.
  package private(set) var modifications: [IndexPath] = []
  package private(set) var sectionsToInsert = IndexSet()
  package private(set) var sectionsToDelete = IndexSet()

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  /// - Parameters:
  ///   - old: the sections before the change.
  ///   - new: the sections after the change.
  ///   - deleted: indexes of rows in the old state.
  ///   - inserted: indexes of rows in the new state.
  ///   - modified: indexes of rows in the new state.
  package init<Key>(
    _ old: SectionPlaces<Key>,
    _ new: SectionPlaces<Key>,
    _ deleted: [Int],
    _ inserted: [Int],
    _ modified: [Int]
  ) {
    let numbers = Dictionary(zip(old.keys.map { ExactKey($0) }, old.keys.indices)) { first, _ in first }
    /// The old index of each new section; -1 for sections that are new or have moved.
    var former = new.keys.map { Int32(truncatingIfNeeded: numbers[ExactKey($0)] ?? -1) }
    IncreasingSubsequence.keep(in: &former)
    let kept = IndexSet(former.lazy.filter { $0 >= 0 }.map { Int($0) })
    sectionsToDelete = IndexSet(old.keys.indices).subtracting(kept)
    sectionsToInsert = IndexSet(former.indices.filter { former[$0] < 0 })

    let oldPaths = Self.paths(of: old)
    let newPaths = Self.paths(of: new)
    let modified = IndexSet(modified)
    var deletions = IndexSet(deleted)
    var insertions = IndexSet(inserted)
    // Apart from deletions and insertions, the rows of both states correspond one to one.
    let survivors = zip(
      old.sections.indices.lazy.filter { [deletions] in !deletions.contains($0) },
      new.sections.indices.lazy.filter { [insertions] in !insertions.contains($0) }
    )
    for (before, now) in Array(survivors) {
      if former[new.sections[now]] != Int32(truncatingIfNeeded: old.sections[before]) {
        deletions.insert(before)
        insertions.insert(now)
      } else if modified.contains(now) {
        modifications.append(oldPaths[before])
      }
    }
    let goneSections = sectionsToDelete
    self.deletions = deletions.filter { !goneSections.contains(old.sections[$0]) }.map { oldPaths[$0] }
      .sorted()
    self.insertions = insertions.map { newPaths[$0] }.sorted()
    modifications.sort()
  }

  private static func paths<Key>(of places: SectionPlaces<Key>) -> [IndexPath] {
    var counts = Array(repeating: 0, count: places.keys.count)
    return places.sections.map { section -> IndexPath in
      defer { counts[section] += 1 }
      return [section, counts[section]]
    }
  }
}
