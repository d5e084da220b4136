/// Consecutive entries of one page, in the order of their keys.
///
/// The hottest loops iterate over runs: reading an entry of a run needs no call and no check, because the
/// page was checked when the run was created. If pages cannot be read directly, as in a write, a run has one
/// entry. The bytes are valid as long as the cursor's bytes.
@usableFromInline package struct LeafRun {
  // SAFETY: when the run was created, every node from `first` on and its value was found to lie inside the
  // page or the map. The caller guarantees that `index` is in `0..<count`, because a check would slow down
  // the hot path.

  /// The page, or `nil` if the run is one entry of LMDB's cursor.
  @usableFromInline let page: UnsafeRawPointer?
  /// The start of the map, for values with their own pages.
  private let base: UnsafeRawPointer?
  private let pageSize: Int
  /// The offset in the page of the first entry's offset.
  @usableFromInline let start: Int
  @usableFromInline let singleKey: UnsafeRawBufferPointer
  @usableFromInline let singleValue: UnsafeRawBufferPointer
  /// The number of entries, at least one.
  @usableFromInline package let count: Int

  init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    page = nil
    base = nil
    pageSize = 0
    start = 0
    singleKey = key
    singleValue = value
    count = 1
  }

  /// A run of one entry without bytes, for variables that have no run yet.
  @usableFromInline package static var none: LeafRun {
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    return LeafRun(key: empty, value: empty)
  }

  /// Creates a run of entries of a page that were checked, with their values in clear.
  @inline(__always)
  init(page: MappedPage, from first: Int, count: Int, in tree: MappedTree) {
    self.page = page.start
    if let seal = tree.seal { base = UnsafeRawPointer(seal.region) } else { base = tree.base }
    pageSize = tree.pageSize
    start = Page.headerSize + 2 * first
    singleKey = UnsafeRawBufferPointer(start: nil, count: 0)
    singleValue = singleKey
    self.count = count
  }

  /// The address of the page, or `nil` if the run is one entry of a write's cursor.
  @inlinable
  package var pageStart: UnsafeRawPointer? { page }

  /// Returns the key of an entry, counted from the first entry of the run.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @inlinable
  @inline(__always)
  package func key(_ index: Int) -> UnsafeRawBufferPointer {
    guard let page else { return singleKey }
    let node = page + Int(page.loadUnaligned(fromByteOffset: start &+ 2 &* index, as: UInt16.self))
    return UnsafeRawBufferPointer(
      start: node + 8,
      count: Int(node.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    )
  }

  /// Returns the value of an entry, counted from the first entry of the run.
  ///
  /// - Precondition: `index` is in `0..<count`.
  @inlinable
  @inline(__always)
  package func value(_ index: Int) -> UnsafeRawBufferPointer {
    guard let page else { return singleValue }
    let node = page + Int(page.loadUnaligned(fromByteOffset: start &+ 2 &* index, as: UInt16.self))
    let head = node.loadUnaligned(as: UInt64.self)
    // The size of the value, the flags, and the size of the key.
    let size = Int(head & 0xFFFF_FFFF)
    let value = node + (8 &+ Int(head &>> 48))
    if _fastPath(head & 0xFFFF_0000_0000 == 0) { return UnsafeRawBufferPointer(start: value, count: size) }
    return longValue(value, size)
  }

  /// Returns a value with its own pages.
  @usableFromInline
  @inline(never)
  func longValue(_ reference: UnsafeRawPointer, _ size: Int) -> UnsafeRawBufferPointer {
    guard let base else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let number = Int(truncatingIfNeeded: reference.loadUnaligned(as: UInt64.self))
    return UnsafeRawBufferPointer(start: base + (number &* pageSize &+ 16), count: size)
  }
}
