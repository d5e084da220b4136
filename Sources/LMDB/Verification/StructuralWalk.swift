#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Walks every page to which a meta page leads, without trusting any of them.
///
/// Pages are read with `pread` into buffers of the walk, one per level and one for leaves, so that changes of
/// the file by another process cannot crash it. Each page is taken once, which also limits the time: a loop
/// is found at its first repetition.
final class StructuralWalk {
  // SAFETY: the memory of the pointers is allocated for the walk's life, or for the walk of one tree in the
  // case of `levels`, and used by one thread. Keys that are passed down are in the pages of the levels above,
  // which do not change in the meantime. No closure captures the walk, so accesses to its properties never
  // overlap.

  enum Kind { case main, named, free }

  /// The part of the file to walk.
  enum Part {
    case everything
    /// The tree with the records of all other trees, whose roots are taken.
    case mainTree
    /// The main tree and the branch pages of all other trees, without comparing their keys. This finds pages
    /// that are used twice, and free pages that are in use. It does not include the pages of long values.
    case branches
    /// The tree of free pages, and whether any of them is in use. In a store with few branch pages, the
    /// branch pages are walked too.
    case freeList
  }

  /// The record of a tree. A class, because the runtime would have to create a type for an array of
  /// structures.
  final class Subtree {
    let record: TreeRecord

    init(_ record: TreeRecord) { self.record = record }
  }

  let descriptor: Int32
  let path: String
  let meta: MetaPage
  let filePages: UInt64
  @exclusivity(unchecked) var report = VerificationReport()
  /// The trees that the main tree lists.
  var subtrees: [Subtree] = []
  let scratch: UnsafeMutableRawBufferPointer

  /// The last commit that has freed pages, according to the free list.
  var lastFreeing: UInt64 = 0

  /// One page for each level of the tree that is being walked.
  @exclusivity(unchecked) private var levels: UnsafeMutableRawBufferPointer?
  @exclusivity(unchecked) private var reader: PageReader
  /// One bit for each page that was taken.
  private let taken: UnsafeMutablePointer<UInt64>
  private let starts: UnsafeMutablePointer<UInt64>

  /// The maximum number of pages that may be missing at the file's end. Pages that one transaction allocated
  /// and freed were never written.
  private static let missingPages: UInt64 = 1 << 18

  init(_ descriptor: Int32, meta: MetaPage, fileSize: Int, path: String) throws(LMDBError) {
    self.descriptor = descriptor
    self.meta = meta
    self.path = path
    filePages = UInt64(fileSize / meta.pageSize)
    guard meta.lastPage < filePages + StructuralWalk.missingPages else {
      throw LMDBError(.truncated, path: path, detail: "\(filePages) of \(meta.lastPage + 1) pages")
    }
    let words = Int(meta.lastPage / 64) + 1
    guard let bits = calloc(words, MemoryLayout<UInt64>.stride) else {
      throw LMDBError(returnCode: ENOMEM, path: path, doing: "calloc")
    }
    taken = bits.bindMemory(to: UInt64.self, capacity: words)
    starts = .allocate(capacity: Page.startWords(ofPageSize: meta.pageSize))
    scratch = .allocate(byteCount: meta.pageSize, alignment: 16)
    reader = PageReader(descriptor, pageSize: meta.pageSize)
    report.pageSize = meta.pageSize
    report.fileSize = fileSize
    report.transaction = meta.transaction
    report.lastPage = Int(meta.lastPage)
  }

  deinit {
    levels?.deallocate()
    scratch.deallocate()
    starts.deallocate()
    free(taken)
  }

  /// The maximum number of branch pages that are walked to determine the pages in use. Such a store has about
  /// 100 MB.
  private static let mostBranchPages: UInt64 = 256

  func run(_ part: Part) throws(LMDBError) -> VerificationReport {
    try walk(meta.main, .main)
    report.databases = subtrees.count
    switch part {
    case .everything: break
    case .mainTree:
      // No page is the root of two trees.
      for tree in subtrees { try takeRoot(of: tree.record) }
      try takeRoot(of: meta.free)
      return report
    case .branches:
      for tree in subtrees { try takePages(of: tree.record) }
      // A damaged root of the main tree may lead to an older state of the tree, whose pages are free.
      try walkFreeList()
      return report
    case .freeList:
      if subtrees.reduce(0, { $0 + min($1.record.branchPages, meta.lastPage) }) <= Self.mostBranchPages {
        for tree in subtrees { try walk(tree.record, .named, skipsLeaves: true) }
      }
      try walkFreeList()
      return report
    }
    for tree in subtrees {
      try walk(tree.record, .named)
      report.entries += Int(tree.record.entries)
    }
    try walkFreeList()
    let used = report.branchPages + report.leafPages + report.overflowPages + report.freePages
    report.unreferencedPages = report.lastPage - 1 - used
    return report
  }

  /// Walks the free list, and checks that it belongs to this commit. An older free list contains pages that
  /// are now in use.
  private func walkFreeList() throws(LMDBError) {
    try walk(meta.free, .free)
    // A commit after the first one changes the main tree, and so frees a page. A copy has no freed pages, but
    // its record has the commit number of its source.
    guard meta.transaction > 1, lastFreeing != meta.transaction,
      CommitRecord.number(in: meta, descriptor) == meta.transaction
    else { return }
    throw LMDBError(
      .damaged,
      path: path,
      detail: "the free list belongs to commit \(lastFreeing), not \(meta.transaction)"
    )
  }

  func damaged(_ page: UInt64, _ detail: String) -> LMDBError {
    LMDBError(.damaged, path: path, detail: "page \(page): \(detail)")
  }

  /// Takes a page for its only use.
  func take(_ page: UInt64, mayBeMissing: Bool = false) throws(LMDBError) {
    guard page >= 2, page <= meta.lastPage else { throw damaged(page, "out of range") }
    guard mayBeMissing || page < filePages else {
      throw LMDBError(.truncated, path: path, detail: "page \(page) of \(filePages)")
    }
    let bit = UInt64(1) << (page & 63)
    guard taken[Int(page >> 6)] & bit == 0 else { throw damaged(page, "used twice") }
    taken[Int(page >> 6)] |= bit
  }

  private func takeRoot(of tree: TreeRecord) throws(LMDBError) {
    if tree.root != TreeRecord.invalidPage { try take(tree.root) }
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(LMDBError) {
    guard let count = readFully(descriptor, buffer, at: offset) else {
      throw LMDBError.system("pread", path: path)
    }
    guard count == buffer.count else { throw LMDBError(.truncated, path: path, detail: "offset \(offset)") }
  }

  /// Takes all pages of a tree except the pages of long values.
  private func takePages(of tree: TreeRecord) throws(LMDBError) {
    guard tree.root != TreeRecord.invalidPage else { return }
    var sizes = TreeSizes()
    try takePages(from: tree.root, height: Int(tree.depth), &sizes)
    guard sizes.branch == tree.branchPages, sizes.leaf == tree.leafPages else {
      throw damaged(tree.root, "the tree's sizes are wrong")
    }
  }

  /// - Parameter height: The number of levels from the page down to the leaves.
  private func takePages(from number: UInt64, height: Int, _ sizes: inout TreeSizes) throws(LMDBError) {
    try take(number)
    if height == 1 {
      sizes.leaf += 1
      return
    }
    sizes.branch += 1
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: meta.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    try read(buffer, at: Int(number) * meta.pageSize)
    guard let page = Page(branch: UnsafeRawBufferPointer(buffer), number: number) else {
      throw damaged(number, "not a branch page")
    }
    if height == 2 {
      try takeChildren(of: page, number)
      sizes.leaf += UInt64(page.count)
      return
    }
    for index in 0..<page.count {
      guard page.offset(index) + Page.nodeHeaderSize <= meta.pageSize else { throw nodeOutside(number) }
      try takePages(from: page.child(index), height: height - 1, &sizes)
    }
  }

  /// Takes the leaves below a branch page. Almost all pages of a store are such leaves.
  private func takeChildren(of page: Page, _ number: UInt64) throws(LMDBError) {
    let (taken, end) = (taken, min(meta.lastPage + 1, filePages))
    let last = page.bytes.count &- Page.nodeHeaderSize
    guard let start = page.bytes.baseAddress else { throw nodeOutside(number) }
    for index in 0..<page.count {
      // SAFETY: `Page(branch:number:)` has checked that the page has room for the offsets of `count` nodes. A
      // node's head has eight bytes, and `last` is the greatest offset of a head inside the page.
      let offset = Int(start.loadUnaligned(fromByteOffset: Page.headerSize &+ 2 &* index, as: UInt16.self))
      guard offset <= last else { throw nodeOutside(number) }
      // The first six bytes of a branch page's node are the number of its page.
      let child = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0xFFFF_FFFF_FFFF
      let (word, bit) = (Int(truncatingIfNeeded: child &>> 6), UInt64(1) &<< (child & 63))
      guard child >= 2, child < end, taken[word] & bit == 0 else {
        // This call throws the error.
        try take(child)
        continue
      }
      taken[word] |= bit
    }
  }

  private func nodeOutside(_ number: UInt64) -> LMDBError {
    damaged(number, "a node is outside the page")
  }

  /// - Parameter skipsLeaves: Whether leaves are taken by their numbers only.
  private func walk(_ tree: TreeRecord, _ kind: Kind, skipsLeaves: Bool = false) throws(LMDBError) {
    guard tree.root != TreeRecord.invalidPage else { return }
    var sizes = TreeSizes()
    sizes.skipsLeaves = skipsLeaves
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    levels = .allocate(byteCount: Int(tree.depth) * meta.pageSize, alignment: 16)
    defer {
      levels?.deallocate()
      levels = nil
    }
    try walk(tree.root, level: 1, tree, kind, from: none, to: nil, &sizes)
    guard sizes.branch == tree.branchPages, sizes.leaf == tree.leafPages,
      skipsLeaves || sizes.overflow == tree.overflowPages && sizes.entries == tree.entries
    else { throw damaged(tree.root, "the tree's sizes are wrong") }
    report.branchPages += Int(sizes.branch)
    report.leafPages += Int(sizes.leaf)
    report.overflowPages += Int(sizes.overflow)
  }

  private func walk(
    _ number: UInt64,
    level: Int,
    _ tree: TreeRecord,
    _ kind: Kind,
    from lower: UnsafeRawBufferPointer,
    to upper: UnsafeRawBufferPointer?,
    _ sizes: inout TreeSizes
  ) throws(LMDBError) {
    try take(number)
    if sizes.skipsLeaves, level >= Int(tree.depth) {
      sizes.leaf += 1
      return
    }
    guard let levels, level * meta.pageSize <= levels.count else { throw damaged(number, "too many levels") }
    let buffer = UnsafeMutableRawBufferPointer(
      rebasing: levels[(level - 1) * meta.pageSize..<level * meta.pageSize]
    )
    let isBranch = level < Int(tree.depth)
    var bytes = UnsafeRawBufferPointer(buffer)
    if isBranch {
      // A branch page stays in its buffer while the pages below it are read.
      try read(buffer, at: Int(number) * meta.pageSize)
    } else {
      guard let leaf = reader.page(number, orInto: buffer) else {
        throw LMDBError.system("pread", path: path)
      }
      guard leaf.count == meta.pageSize else {
        throw LMDBError(.truncated, path: path, detail: "offset \(Int(number) * meta.pageSize)")
      }
      bytes = leaf
    }
    let page: Page
    switch Page.check(bytes, number: number, isBranch: isBranch, starts: starts) {
    case .success(let checked): page = checked
    case .failure(let flaw): throw damaged(number, flaw.text)
    }
    try checkKeys(page, number, kind, from: lower, to: upper)
    if isBranch {
      sizes.branch += 1
      if sizes.skipsLeaves, level + 1 >= Int(tree.depth) {
        for index in 0..<page.count { try take(page.child(index)) }
        sizes.leaf += UInt64(page.count)
        return
      }
      for index in 0..<page.count {
        try walk(
          page.child(index),
          level: level + 1,
          tree,
          kind,
          from: index == 0 ? lower : page.key(index),
          to: index + 1 < page.count ? page.key(index + 1) : upper,
          &sizes
        )
      }
    } else {
      sizes.leaf += 1
      sizes.entries += UInt64(page.count)
      for index in 0..<page.count where kind != .named || page.flags(index) != 0 {
        try check(page.node(index), number, kind, &sizes)
      }
    }
  }

  /// Checks that the keys are valid, in ascending order, and within the bounds of the pages above.
  private func checkKeys(
    _ page: Page,
    _ number: UInt64,
    _ kind: Kind,
    from lower: UnsafeRawBufferPointer,
    to upper: UnsafeRawBufferPointer?
  ) throws(LMDBError) {
    // LMDB asserts at least two children in a branch page of any tree except the free list.
    guard page.count >= (page.isBranch && kind != .free ? 2 : 1) else {
      throw damaged(number, "too few nodes")
    }
    var previous = lower
    // The first key of a branch page is not used, because it is the lower bound.
    for index in (page.isBranch ? 1 : 0)..<page.count {
      let key = page.key(index)
      guard key.count > 0, key.count <= 511, kind != .free || key.count == 8 else {
        throw damaged(number, "impossible key length")
      }
      if previous.count > 0 {
        let order = compare(previous, key, kind)
        // A leaf may begin with the same key that leads to it.
        guard order < 0 || (order == 0 && index == 0) else { throw damaged(number, "keys out of order") }
      }
      previous = key
    }
    if let upper, previous.count > 0, page.count > (page.isBranch ? 1 : 0) {
      guard compare(previous, upper, kind) < 0 else { throw damaged(number, "keys beyond their page") }
    }
  }

  private func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ kind: Kind) -> Int {
    if kind == .free, a.count == 8, b.count == 8 {
      let (a, b) = (a.loadUnaligned(as: UInt64.self), b.loadUnaligned(as: UInt64.self))
      return a < b ? -1 : a == b ? 0 : 1
    }
    guard let first = a.baseAddress, let second = b.baseAddress else { return a.count - b.count }
    let order = memcmp(first, second, min(a.count, b.count))
    return order != 0 ? Int(order) : a.count - b.count
  }
}

/// The sizes of a tree as the walk has counted them.
struct TreeSizes {
  var branch: UInt64 = 0
  var leaf: UInt64 = 0
  var overflow: UInt64 = 0
  var entries: UInt64 = 0
  var skipsLeaves = false
}
