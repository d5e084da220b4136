extension CollectionChanges {
  /// Turns a deletion and an insertion at the same position between unchanged elements into a modification.
  ///
  /// - Parameter isReplacement: whether the deleted and the inserted element are different ones. An element
  ///   that moved remains a deletion and an insertion.
  mutating func pairReplacements(
    _ isReplacement: (_ deletion: Int, _ insertion: Int) -> Bool = { _, _ in true }
  ) {
    if deletions.isEmpty || insertions.isEmpty { return }
    var (unpairedDeletions, unpairedInsertions, replaced) = ([Int](), [Int](), [Int]())
    var (deleted, inserted) = (0, 0)
    // The distance that an unchanged element has moved: its index in the new collection minus its index in
    // the old one.
    var distance = 0
    while deleted < deletions.count || inserted < insertions.count {
      let deletion = deleted < deletions.count ? deletions[deleted] : nil
      let insertion = inserted < insertions.count ? insertions[inserted] : nil
      // Both are in the same gap if no unchanged element lies between them.
      if let deletion, let insertion, deletion + distance == insertion {
        if isReplacement(deletion, insertion) {
          replaced.append(insertion)
        } else {
          unpairedDeletions.append(deletion)
          unpairedInsertions.append(insertion)
        }
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
