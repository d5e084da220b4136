#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The number that each commit writes into its own record in the main tree (``CommitToken``).
///
/// A meta page contains the number of its commit and the locations of the trees. A flipped bit in it can
/// refer to an older state, which is consistent. The record that is found in that state then has another
/// number.
enum CommitRecord {
  /// Returns the number in the state to which a meta page leads. Returns `nil` if there is no number, as in
  /// stores of earlier formats, or if it cannot be read.
  static func number(in meta: MetaPage, _ descriptor: Int32) -> UInt64? {
    guard meta.main.flaw(lastPage: meta.lastPage) == nil, meta.main.root != TreeRecord.invalidPage else {
      return nil
    }
    // SAFETY: both buffers are used only in this call, on its thread.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: meta.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    let starts = UnsafeMutablePointer<UInt64>.allocate(
      capacity: Page.startWords(ofPageSize: meta.pageSize)
    )
    defer { starts.deallocate() }
    var number = meta.main.root
    for level in 1...Int(meta.main.depth) {
      guard number >= 2, number <= meta.lastPage,
        readFully(descriptor, buffer, at: Int(number) * meta.pageSize) == meta.pageSize,
        case .success(let page) = Page.check(
          UnsafeRawBufferPointer(buffer),
          number: number,
          isBranch: level < Int(meta.main.depth),
          starts: starts
        ), page.count > 0
      else { return nil }
      let last = lastNode(of: page)
      guard page.isBranch else {
        let node = page.node(last)
        let isRecord = CommitToken.key.withUnsafeBytes { MappedTree.order(node.key, $0) == 0 }
        return isRecord && node.flags == 0 ? CommitToken.commit(in: node.inline) : nil
      }
      number = page.child(last)
    }
    return nil
  }

  /// Returns the index of the last node whose key is not greater than the record's key. The first node of a
  /// branch page counts as less.
  private static func lastNode(of page: Page) -> Int {
    CommitToken.key.withUnsafeBytes { wanted in
      var found = 0
      for index in 1..<max(page.count, 1) where MappedTree.order(page.key(index), wanted) <= 0 {
        found = index
      }
      return found
    }
  }
}

extension MetaPages {
  /// The result of comparing the records of both states with their meta pages.
  enum CommitFinding {
    /// The records agree with the meta pages, or are missing.
    case right
    /// The newer meta page leads to the state of another commit.
    case otherState
    /// The other meta page leads to the state of the next commit: the commit exists, but its number was lost.
    case lostNumber
  }

  /// The meta page of the commit before the newest one.
  var older: MetaPage { pages.0.transaction < pages.1.transaction ? pages.0 : pages.1 }

  func findCommits(_ descriptor: Int32) -> CommitFinding {
    let (newer, older) = (newer, older)
    // A store with one commit is new, or was copied by another program.
    guard older.transaction > 0 else { return .right }
    // This check comes first, because the newer page may belong to a copy, whose record has the number of its
    // source. An external copy has commit 1 with the record of its source.
    if older.transaction > 1 {
      // If LMDB has restored the number of the commit, the number of the last page is lost too.
      var whole = older
      whole.lastPage = max(older.lastPage, UInt64(max(fileSize / older.pageSize, 1) - 1))
      if CommitRecord.number(in: whole, descriptor) == newer.transaction + 1 { return .lostNumber }
    }
    if let number = CommitRecord.number(in: newer, descriptor), number != newer.transaction {
      // A copy has the state of its source in both pages, with consecutive numbers.
      guard newer.hasTrees(of: older), number < older.transaction else { return .otherState }
    }
    return .right
  }
}

extension MetaPage {
  /// Whether the meta page leads to the same trees as another one.
  func hasTrees(of other: MetaPage) -> Bool {
    main.root == other.main.root && free.root == other.free.root && main.entries == other.main.entries
      && free.entries == other.free.entries
  }
}
