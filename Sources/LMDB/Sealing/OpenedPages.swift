import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The leaves and long values of sealed trees that were opened: memory that is laid out as the map is, where each page is at the
/// offset that it has in the map, with its values in clear.
///
/// A page is opened whole, once, and counts until LMDB may have written it again: that is what ``PageNotes`` tell. A page that an
/// active reader can reach is not written, so that a page is never opened again while its earlier content is read. Scans open pages.
/// Values that are looked up are opened one by one, in memory of the transaction, until they were a quarter of those of their page.
///
/// In place of its number, a page has a mark of the context in which it was authenticated: the tree of a leaf; the tree, the key and the length
/// of a long value (``SealedTree``). An entry that was forged to lead to the page from elsewhere has another mark. It is an error then: an honest
/// page has one context until it is written again. All pages of a long value count as opened, so that nothing else is opened in one of them.
///
/// Beyond a limit of bytes, and when the system has no memory left, the environment begins another one; the memory goes when its last
/// user has ended.
final class OpenedPages: @unchecked Sendable {
  // SAFETY: `memory` has room for `notes.count` pages, and is unmapped by the one that makes `users` say that it was retired and
  // has no user; only users read or write it. A page is written by a thread that holds its lock, before it is noted.
  // `words` has a word for each page, behind them.

  /// The start of the memory; pages that were not opened take none.
  let region: UnsafeMutableRawPointer
  let notes: PageNotes
  /// Whether there is room for the pages of the file only, because the process has too little address space for the whole map.
  let isPart: Bool
  private let memory: SparseMemory
  /// Whether the system had no memory for a page that was to be opened.
  private let isStarved = Atomic(false)
  /// How many values of a page were opened one by one (8 bits), and the last commit that had freed it then (24 bits). They only decide
  /// what is opened at a time.
  private let words: UnsafeMutablePointer<Atomic<UInt32>>
  /// The number of bytes that were opened.
  private let bytes = Atomic<Int>(0)
  private let limit: Int
  /// Twice the number of users, and one more from the retirement on.
  private let users = Atomic<Int>(0)
  private let locks: [PageLock]

  private final class PageLock: Sendable {
    let lock = OwnedLock(())
  }

  /// Fails if the system has no such address space.
  ///
  /// - Parameters:
  ///   - size: the size of the map in bytes, or of a part of it.
  ///   - isPart: whether it is a part.
  ///   - pageSize: the size of a page in bytes.
  ///   - commit: the newest commit that a reader may see.
  ///   - limit: the number of bytes from which on it is to be retired.
  init?(size: Int, isPart: Bool, pageSize: Int, at commit: UInt64, limit: Int) {
    guard pageSize > 0, let notes = PageNotes(pages: size / pageSize, of: pageSize, at: commit) else {
      return nil
    }
    let pages = notes.count * pageSize
    let size = pages + notes.count * MemoryLayout<Atomic<UInt32>>.stride
    guard let memory = SparseMemory(size: size, isSecret: true) else { return nil }
    words = (memory.base + pages).bindMemory(to: Atomic<UInt32>.self, capacity: notes.count)
    region = memory.base
    self.memory = memory
    self.notes = notes
    self.isPart = isPart
    self.limit = limit
    locks = (0..<64).map { _ in PageLock() }
  }

  /// Begins a use; false where it was retired.
  func use() -> Bool {
    var known = users.load(ordering: .relaxed)
    while known & 1 == 0 {
      let (isDone, found) = users.compareExchange(
        expected: known,
        desired: known + 2,
        ordering: .acquiringAndReleasing
      )
      if isDone { return true }
      known = found
    }
    return false
  }

  /// Ends a use.
  func endUse() {
    if users.subtract(2, ordering: .acquiringAndReleasing).newValue == 1 { memory.unmap() }
  }

  /// Refuses new users from now on.
  func retire() {
    let (old, new) = users.bitwiseOr(1, ordering: .acquiringAndReleasing)
    if old & 1 == 0, new == 1 { memory.unmap() }
  }

  /// Whether it has reached its limit, or there was no memory for a page.
  var isFull: Bool { bytes.load(ordering: .relaxed) > limit || isStarved.load(ordering: .relaxed) }

  /// Whether bytes lie within the memory. If only a part of the map has room, a damaged length may lead out of it.
  func hasRoom(_ offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && count <= notes.count &* notes.pageSize &- offset
  }

  /// Makes room for bytes of a page that is about to be opened; returns false if the system has no memory for them, or if
  /// they do not lie within the memory.
  func makeRoom(_ offset: Int, count: Int) -> Bool {
    guard hasRoom(offset, count: count) else { return false }
    if memory.makeWritable(offset, count: count) { return true }
    isStarved.store(true, ordering: .relaxed)
    return false
  }

  /// Whether a page of the snapshot was opened in the context of a mark.
  @inline(__always)
  func contains(_ number: UInt64, at stamp: UInt32, as mark: UInt64) -> Bool {
    notes.isOpened(number, at: stamp) && has(number, mark)
  }

  @inline(__always)
  private func has(_ number: UInt64, _ mark: UInt64) -> Bool {
    (region + Int(number) &* notes.pageSize).load(as: UInt64.self) == mark
  }

  /// The result of opening a page.
  enum Opening {
    case done, damaged, noMemory
  }

  /// Runs `body`, which opens pages, unless they are open in the context of the mark.
  ///
  /// - Parameters:
  ///   - number: the first page.
  ///   - pages: the number of pages.
  ///   - mark: the mark, which takes the place of the first eight bytes.
  ///   - count: the number of bytes that `body` opens.
  func open(
    _ number: UInt64,
    pages: Int = 1,
    at stamp: UInt32,
    as mark: UInt64,
    count: Int,
    _ body: () -> Opening
  ) -> Opening {
    guard number < UInt64(notes.count), pages > 0, pages <= notes.count - Int(number) else { return .damaged }
    return locks[Int(number % UInt64(locks.count))].lock.withLock { _ in
      if notes.isOpened(number, at: stamp) { return has(number, mark) ? .done : .damaged }
      for page in Int(number)..<Int(number) + pages {
        if notes.isOpened(UInt64(page), at: stamp) { return .damaged }
        guard notes.makeWritable(page) else {
          isStarved.store(true, ordering: .relaxed)
          return .noMemory
        }
      }
      let opening = body()
      guard opening == .done else { return opening }
      (region + Int(number) * notes.pageSize).storeBytes(of: mark, as: UInt64.self)
      for page in number..<number + UInt64(pages) { notes.noteOpened(page, at: stamp) }
      bytes.add(count, ordering: .relaxed)
      return .done
    }
  }
}

extension OpenedPages {
  /// Notes that a value of a page is about to be opened; returns whether the whole page is to be.
  ///
  /// - Parameter count: the number of values in the page.
  func noteValue(of number: UInt64, among count: Int) -> Bool {
    guard number < UInt64(notes.count) else { return true }
    let size = MemoryLayout<Atomic<UInt32>>.stride
    guard memory.makeWritable(notes.count * notes.pageSize + Int(number) * size, count: size) else {
      return false
    }
    let freed = notes.entries[Int(2 &* number &+ 1)].load(ordering: .relaxed) &<< 8
    let word = words[Int(number)].load(ordering: .relaxed)
    let opened = word & ~0xFF == freed ? word & 0xFF : 0
    if opened >= min(count / 4, 64) { return true }
    words[Int(number)].store(freed | (opened &+ 1), ordering: .relaxed)
    return false
  }
}

extension PageNotes {
  /// Whether a page that was noted is as a reader of a commit sees it.
  ///
  /// A page that was freed after the reader's commit was not written since, and ``follow(_:isSound:)`` has kept its note only if
  /// it was right before that.
  @inline(__always)
  func isOpened(_ number: UInt64, at stamp: UInt32) -> Bool {
    guard number < UInt64(count) else { return false }
    // A commit that is followed meanwhile takes a note away before it says that it has freed the page.
    let freed = entries[Int(2 &* number &+ 1)].load(ordering: .acquiring)
    let noted = entries[Int(2 &* number)].load(ordering: .acquiring)
    guard noted != 0, noted >= floor.load(ordering: .relaxed) else { return false }
    return noted >= freed || freed > stamp
  }

  func noteOpened(_ number: UInt64, at stamp: UInt32) {
    entries[Int(2 * number)].store(stamp, ordering: .releasing)
  }
}
