/// A node of a page: its key, and its child page or value.
struct Node {
  var flags: UInt16
  var key: UnsafeRawBufferPointer
  /// The size of the value in bytes.
  var valueSize: Int
  /// The value, or the number of its overflow page. Empty in a branch page.
  var inline: UnsafeRawBufferPointer
  /// The child page of a branch page's node.
  var child: UInt64
}

/// A branch or leaf page whose offsets were all found to lie inside the page.
struct Page {
  // SAFETY: `bytes` is one whole page in a buffer of the walk. `check` ensures that each node lies inside it,
  // and `node` uses only offsets that were checked.
  static let headerSize = 16
  static let nodeHeaderSize = 8

  let bytes: UnsafeRawBufferPointer
  let isBranch: Bool
  let count: Int

  /// Checks the page's format, and returns the page or its damage.
  ///
  /// - Parameter starts: Room for ``startWords(ofPageSize:)`` words, whose initial contents do not matter.
  static func check(
    _ bytes: UnsafeRawBufferPointer,
    number: UInt64,
    isBranch: Bool,
    starts: UnsafeMutablePointer<UInt64>
  ) -> Result<Page, Flaw> {
    func flaw(_ text: String) -> Result<Page, Flaw> { .failure(Flaw(text: text)) }
    guard bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self) == number else {
      return flaw("wrong page number")
    }
    let flags = bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self)
    guard flags == (isBranch ? PageFlags.branch : PageFlags.leaf) else { return flaw("wrong page flags") }
    let lower = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    let upper = Int(bytes.loadUnaligned(fromByteOffset: 14, as: UInt16.self))
    guard lower >= headerSize, lower & 1 == 0, lower <= upper, upper & 1 == 0, upper <= bytes.count else {
      return flaw("wrong bounds of free space")
    }
    let page = Page(bytes: bytes, isBranch: isBranch, count: (lower - headerSize) / 2)
    if let text = page.nodeFlaw(upper: upper, starts: starts) { return flaw(text) }
    return .success(page)
  }

  private init(bytes: UnsafeRawBufferPointer, isBranch: Bool, count: Int) {
    self.bytes = bytes
    self.isBranch = isBranch
    self.count = count
  }

  /// Creates a branch page after checking only its head: the caller checks the positions of its nodes.
  /// Returns `nil` for another kind of page.
  init?(branch bytes: UnsafeRawBufferPointer, number: UInt64) {
    let lower = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self))
    guard bytes.loadUnaligned(as: UInt64.self) == number,
      bytes.loadUnaligned(fromByteOffset: 10, as: UInt16.self) == PageFlags.branch,
      lower >= Page.headerSize, lower <= bytes.count
    else { return nil }
    self.init(bytes: bytes, isBranch: true, count: (lower - Page.headerSize) / 2)
  }

  struct Flaw: Error {
    var text: String
  }

  /// Checks that the nodes fill the page from `upper` to its end, without gaps and overlaps.
  ///
  /// No node is empty, so it suffices to compare the set of the nodes' starts with the set of their ends:
  /// every end must be a start, except for the end of the page, and the sizes must add up.
  private func nodeFlaw(upper: Int, starts: UnsafeMutablePointer<UInt64>) -> String? {
    starts.update(repeating: 0, count: Page.startWords(ofPageSize: bytes.count))
    var total = 0
    for index in 0..<count {
      let offset = self.offset(index)
      guard offset >= upper, offset & 1 == 0, offset + Page.nodeHeaderSize <= bytes.count else {
        return "a node is outside the page"
      }
      let bit = UInt64(1) << UInt64((offset / 2) & 63)
      guard starts[offset / 128] & bit == 0 else { return "two nodes have the same offset" }
      starts[offset / 128] |= bit
      let size = nodeSize(offset)
      guard offset + size <= bytes.count else { return "a node extends beyond the page" }
      total += size
    }
    guard total == bytes.count - upper else { return "the nodes do not fill the page" }
    for index in 0..<count {
      let offset = self.offset(index)
      let end = offset + nodeSize(offset)
      let isLast = end == bytes.count
      guard isLast || starts[end / 128] & (UInt64(1) << UInt64((end / 2) & 63)) != 0 else {
        return "nodes overlap"
      }
    }
    return nil
  }

  /// Returns the number of words that a check needs: one bit for every second byte of a page, because every
  /// node starts at such a byte.
  static func startWords(ofPageSize size: Int) -> Int { size / 128 + 1 }

  /// Returns the key of a node.
  func key(_ index: Int) -> UnsafeRawBufferPointer {
    let offset = self.offset(index)
    let start = offset + Page.nodeHeaderSize
    let count = Int(bytes.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
  }

  /// Returns the number of the page to which a branch page's node leads.
  func child(_ index: Int) -> UInt64 {
    let offset = self.offset(index)
    // A branch node has no value: its flags contain the high bits of the child's number.
    let high = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
    return UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) | UInt64(high) << 32
  }

  /// Returns the flags of a leaf's node.
  func flags(_ index: Int) -> UInt16 {
    bytes.loadUnaligned(fromByteOffset: offset(index) + 4, as: UInt16.self)
  }

  func offset(_ index: Int) -> Int {
    Int(bytes.loadUnaligned(fromByteOffset: Page.headerSize + 2 * index, as: UInt16.self))
  }

  /// Returns the number of bytes of a node, rounded up to an even number as in LMDB.
  private func nodeSize(_ offset: Int) -> Int {
    let flags = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
    let key = Int(bytes.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
    var size = Page.nodeHeaderSize + key
    if !isBranch { size += flags & PageFlags.bigData != 0 ? 8 : valueSize(offset) }
    return (size + 1) & ~1
  }

  private func valueSize(_ offset: Int) -> Int {
    Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
      | Int(bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self)) << 16
  }

  func node(_ index: Int) -> Node {
    let (offset, key) = (self.offset(index), self.key(index))
    if isBranch {
      let none = UnsafeRawBufferPointer(start: nil, count: 0)
      return Node(flags: 0, key: key, valueSize: 0, inline: none, child: child(index))
    }
    let (flags, size) = (self.flags(index), valueSize(offset))
    let start = offset + Page.nodeHeaderSize + key.count
    let stored = flags & PageFlags.bigData != 0 ? 8 : size
    let value = UnsafeRawBufferPointer(rebasing: bytes[start..<start + stored])
    return Node(flags: flags, key: key, valueSize: size, inline: value, child: 0)
  }
}
