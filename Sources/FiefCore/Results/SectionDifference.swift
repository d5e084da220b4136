import Foundation

/// The difference between two states of sections, computed from the differences of their rows.
package struct SectionDifference {
  package private(set) var deletions: [IndexPath] = []
  package private(set) var insertions: [IndexPath] = []
  /// The index paths before.
  package private(set) var modifications: [IndexPath] = []
  package private(set) var sectionsToInsert = IndexSet()
  package private(set) var sectionsToDelete = IndexSet()

  package var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  /// - Parameters:
  ///   - old: the sections before.
  ///   - new: the sections now.
  ///   - deleted: places of rows before.
  ///   - inserted: places of rows now.
  ///   - modified: places of rows now.
  package init<Key>(
    _ old: SectionPlaces<Key>,
    _ new: SectionPlaces<Key>,
    _ deleted: [Int],
    _ inserted: [Int],
    _ modified: [Int]
  ) {
    let numbers = Dictionary(zip(old.keys.map { ExactKey($0) }, old.keys.indices)) { first, _ in first }
    /// The number that each section had before; -1 for one that is new or has moved.
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
    // The remaining rows of the old state are those of the new one, one by one.
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
