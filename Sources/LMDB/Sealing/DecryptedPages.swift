import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The opened leaves and long values of sealed trees, in memory with the same layout as the map: each page
/// has the same offset as in the map, with its values in clear.
///
/// A page is opened as a whole, once, and stays valid until LMDB may have written it again, which
/// ``PageNotes`` determine. LMDB does not write a page that an active reader can reach, so a page is never
/// opened again while its earlier content is read. Scans open pages. Lookups open values individually, in
/// memory of the transaction, until a quarter of the values of their page was opened.
///
/// In place of its number, a page has a mark of the context in which it was authenticated: the tree of a
/// leaf; or the tree, the key and the length of a long value (``SealedTree``). A forged entry that leads to
/// the page from elsewhere has another mark. This is an error: an honest page has one context until it is
/// written again. All pages of a long value count as opened, so that nothing else is opened in one of them.
///
/// Beyond a limit of bytes, or if the system has no memory left, the environment begins another instance. The
/// memory is released when its last user has ended.
final class DecryptedPages: @unchecked Sendable {
  // SAFETY: `memory` has room for `notes.count` pages. It is unmapped when `users` shows that it was retired
  // and has no user; only users read or write it. A page is written by a thread that holds its lock, before
  // the page is noted. `words` has a word for each page, after the pages.

  /// The start of the memory. Pages that were not opened use no physical memory.
  let region: UnsafeMutableRawPointer
  let notes: PageNotes
  /// Whether there is room only for the pages of the file, because the process has too little address space
  /// for the whole map.
  let isPart: Bool
  private let memory: SparseMemory
  /// Whether the system had no memory for a page.
  private let isStarved = Atomic(false)
  /// The number of values of a page that were opened individually (8 bits), and the last commit that had
  /// freed the page at that time (24 bits). They only decide whether to open values or whole pages.
  private let words: UnsafeMutablePointer<Atomic<UInt32>>
  /// The number of opened bytes.
  private let bytes = Atomic<Int>(0)
  private let limit: Int
  /// Twice the number of users, plus one after the retirement.
  private let users = Atomic<Int>(0)
  private let locks: [PageLock]

  private final class PageLock: Sendable {
    let lock = OwnedLock(())
  }

  /// Returns `nil` if there is not enough address space.
  ///
  /// - Parameters:
  ///   - size: The size of the map in bytes, or of a part of it.
  ///   - isPart: Whether `size` is a part of the map.
  ///   - pageSize: The size of a page in bytes.
  ///   - commit: The newest commit that a reader may see.
  ///   - limit: The number of opened bytes above which the instance should be retired.
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

  /// Begins a use. Returns `false` if the instance was retired.
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

  /// Whether the limit is exceeded, or there was no memory for a page.
  var isFull: Bool { bytes.load(ordering: .relaxed) > limit || isStarved.load(ordering: .relaxed) }

  /// Whether bytes lie within the memory. If only a part of the map has room, a damaged length may lead out
  /// of it.
  func hasRoom(_ offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && count <= notes.count &* notes.pageSize &- offset
  }

  /// Makes room for bytes of a page that is about to be opened. Returns `false` if the system has no memory
  /// for them, or if they do not lie within the memory.
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

  /// Runs `body`, which opens pages, unless they are already open in the context of the mark.
  ///
  /// - Parameters:
  ///   - number: The first page.
  ///   - pages: The number of pages.
  ///   - mark: The mark, which replaces the first eight bytes.
  ///   - count: The number of bytes that `body` opens.
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

extension DecryptedPages {
  /// Records that a value of a page is about to be opened individually. Returns whether to open the whole
  /// page instead.
  ///
  /// - Parameter count: The number of values in the page.
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
  /// Whether a noted page has the content that a reader of a commit sees.
  ///
  /// A page that was freed after the reader's commit was not written since, and ``follow(_:isSound:)`` has
  /// kept its note only if the note was valid before that.
  @inline(__always)
  func isOpened(_ number: UInt64, at stamp: UInt32) -> Bool {
    guard number < UInt64(count) else { return false }
    // A commit that is being followed removes a note before it records that it has freed the page.
    let freed = entries[Int(2 &* number &+ 1)].load(ordering: .acquiring)
    let noted = entries[Int(2 &* number)].load(ordering: .acquiring)
    guard noted != 0, noted >= floor.load(ordering: .relaxed) else { return false }
    return noted >= freed || freed > stamp
  }

  func noteOpened(_ number: UInt64, at stamp: UInt32) {
    entries[Int(2 * number)].store(stamp, ordering: .releasing)
  }
}
