public import Synchronization

/// The pages of a snapshot in which the layer above has found the values to be right; see `Transaction.notedPages()`.
///
/// Its findings are noted by page, and need not be computed again before the page is written again.
@usableFromInline package struct NotedPages {
  // SAFETY: the map and the entries stay as they are while the transaction is active; numbers of pages are compared
  // with the number of entries before they are used.
  @usableFromInline let base: UInt
  /// The start of the pages whose values were opened; that of the map where there are none.
  @usableFromInline let openedBase: UInt
  @usableFromInline let shift: UInt
  @usableFromInline let count: UInt
  @usableFromInline let entries: UnsafeMutablePointer<Atomic<UInt32>>
  /// Kept by the environment while the transaction is active.
  private let notes: Unmanaged<PageNotes>
  @usableFromInline let floor: UInt32
  @usableFromInline let stamp: UInt32

  init?(_ notes: PageNotes, map: UnsafeRawPointer, opened: UnsafeRawPointer?, commit: UInt64) {
    let pageSize = notes.pageSize
    let stamp = notes.stamp(of: commit)
    guard stamp > 0, pageSize > 0, pageSize & (pageSize - 1) == 0 else { return nil }
    base = UInt(bitPattern: map)
    openedBase = UInt(bitPattern: opened ?? map)
    shift = UInt(pageSize.trailingZeroBitCount)
    count = UInt(notes.count)
    entries = notes.entries
    self.notes = .passUnretained(notes)
    floor = notes.floor.load(ordering: .relaxed)
    self.stamp = stamp
  }

  @inlinable
  @inline(__always)
  func number(_ place: UnsafeRawPointer) -> UInt {
    let number = (UInt(bitPattern: place) &- base) &>> shift
    return number < count ? number : (UInt(bitPattern: place) &- openedBase) &>> shift
  }

  /// Whether the page in which a value begins was noted, and not written since.
  @inlinable
  @inline(__always)
  package func contains(_ place: UnsafeRawPointer) -> Bool {
    let number = number(place)
    guard number < count else { return false }
    let noted = entries[Int(2 &* number)].load(ordering: .relaxed)
    return noted >= floor && noted >= entries[Int(2 &* number &+ 1)].load(ordering: .relaxed)
  }

  /// Notes the page in which a value begins: the values in it are right.
  @usableFromInline package func note(_ place: UnsafeRawPointer) {
    let number = number(place)
    guard number < count, notes._withUnsafeGuaranteedRef({ $0.makeWritable(Int(number)) }) else { return }
    entries[Int(2 * number)].store(stamp, ordering: .relaxed)
  }
}

extension Transaction {
  /// Whether the store's content outlives the process, so that it was not written by this one alone.
  @usableFromInline package final var outlivesProcess: Bool { environment.options.durability != .none }

  /// The notes about the pages of this snapshot; nil in a write, whose pages are changing, and where the pages
  /// of the store cannot be read directly or last only as long as the process.
  ///
  /// The call takes a few loads, and a lookup after each commit.
  @usableFromInline package final func notedPages() -> NotedPages? {
    guard snapshot != 0, let handle else { return nil }
    let base = environment.mapBase.load(ordering: .relaxed)
    guard base > Environment.unusable, let map = UnsafeRawPointer(bitPattern: base) else { return nil }
    let commit = snapshot &- 1
    guard let notes = environment.pageNotes(at: commit) else { return nil }
    if !notes.knows(commit) { notes.follow(handle) { environment.isFreeListSound } }
    return NotedPages(
      notes,
      map: map,
      opened: openedPages.map { UnsafeRawPointer($0.region) },
      commit: commit
    )
  }

  /// All entries of the page of a value that was read with ``get(_:_:)`` or a cursor in this snapshot.
  ///
  /// - Returns: nil for a value with pages of its own, and for one that was opened by itself.
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
    // The value was opened by itself.
    if tree.seal != nil, number >= tree.pageLimit { return nil }
    // The page was reached a moment ago.
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
