import Synchronization

extension Transaction {
  /// Whether the store's content outlives the process, so that other processes may have written it.
  @usableFromInline package final var outlivesProcess: Bool { environment.options.durability != .none }

  /// Returns the notes about the pages of this snapshot. Returns `nil` in a write, whose pages change, and if
  /// the pages of the store cannot be read directly or do not outlive the process.
  ///
  /// The call costs a few loads, and one lookup after each commit.
  @usableFromInline package final func notedPages() -> VerifiedPages? {
    guard snapshot != 0, let handle else { return nil }
    let base = environment.mapBase.load(ordering: .relaxed)
    guard base > Environment.unusable, let map = UnsafeRawPointer(bitPattern: base) else { return nil }
    let commit = snapshot &- 1
    guard let notes = environment.pageNotes(at: commit) else { return nil }
    if !notes.knows(commit) { notes.follow(handle) { environment.isFreeListSound } }
    return VerifiedPages(
      notes,
      map: map,
      opened: openedPages.map { UnsafeRawPointer($0.region) },
      commit: commit
    )
  }

  /// Returns all entries of the page of a value that was read with ``get(_:_:)`` or a cursor in this
  /// snapshot.
  ///
  /// - Returns: `nil` for a value with its own pages, and for a value that was opened individually.
  @usableFromInline package final func pageOfValue(
    _ value: UnsafeRawPointer,
    in database: Database
  ) throws(LMDBError) -> LeafRun? {
    guard handle != nil else { throw endedError() }
    _ = try handleOf(database)
    guard let tree = try mappedTree(database)?.pointee, let base = tree.base else { return nil }
    let shown = tree.seal.map { UnsafeRawPointer($0.region) } ?? base
    let offset = UInt(bitPattern: value) &- UInt(bitPattern: shown)
    let number = UInt64(offset) / UInt64(tree.pageSize)
    // The value was opened individually.
    if tree.seal != nil, number >= tree.pageLimit { return nil }
    // The page was reached just before, and thus was checked.
    var sound = tree
    sound.checkedLimit = 0
    guard number >= 2, number < tree.pageLimit else { throw damage(page: number) }
    let start = base + Int(number) * tree.pageSize
    if start.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFlags.overflow { return nil }
    guard let leaf = sound.page(number, PageFlags.leaf, of: 0) else { throw damage(page: number) }
    var page = leaf
    if let seal = tree.seal {
      guard let opened = tree.opened(leaf, seal) else { throw damage(page: number) }
      page = opened
    }
    guard tree.areSound(page, 0..<page.count, as: leaf) else { throw damage(page: number) }
    return LeafRun(page: page, from: 0, count: page.count, in: tree)
  }
}
