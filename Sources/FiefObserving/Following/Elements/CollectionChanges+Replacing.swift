extension CollectionChanges {
  /// Makes a modification of a deletion and an insertion between the same elements that stay.
  mutating func pairReplacements() {
    if deletions.isEmpty || insertions.isEmpty { return }
    var (unpairedDeletions, unpairedInsertions, replaced) = ([Int](), [Int](), [Int]())
    var (deleted, inserted) = (0, 0)
    // The distance of an element that stays: its place in the new collection minus that in the old one.
    var distance = 0
    while deleted < deletions.count || inserted < insertions.count {
      let deletion = deleted < deletions.count ? deletions[deleted] : nil
      let insertion = inserted < insertions.count ? insertions[inserted] : nil
      // Both are at the same gap where nothing that stays is between them.
      if let deletion, let insertion, deletion + distance == insertion {
        replaced.append(insertion)
        (deleted, inserted) = (deleted + 1, inserted + 1)
      } else if let deletion, insertion.map({ deletion + distance < $0 }) ?? true {
        unpairedDeletions.append(deletion)
        deleted += 1
        distance -= 1
      } else if let insertion {
        unpairedInsertions.append(insertion)
        inserted += 1
        distance += 1
      }
    }
    deletions = unpairedDeletions
    insertions = unpairedInsertions
    modifications = (modifications + replaced).sorted()
  }
}
