/// Reads pages of a file with `pread`: one by one, or many at once where they are asked for in their order.
///
/// A call of the system for each page takes longer than looking at the page. Trees that were filled in the order of their keys have
/// their leaves in the order of the file.
struct PageReader: ~Copyable {
  // SAFETY: `window` is allocated for the life of the reader, and what `page` returns is used before its next call.

  private let descriptor: Int32
  private let pageSize: Int
  private let window: UnsafeMutableRawBufferPointer
  /// The pages that are in the window.
  private var known: Range<UInt64> = 0..<0
  /// The page that is next in the order of those that were asked for last, and how many of them were in order.
  private var expected: UInt64 = 0
  private var inOrder = 0

  /// The pages that are read at once.
  private static let most = 32

  init(_ descriptor: Int32, pageSize: Int) {
    self.descriptor = descriptor
    self.pageSize = pageSize
    window = .allocate(byteCount: Self.most * pageSize, alignment: 16)
  }

  deinit { window.deallocate() }

  /// Reads a page.
  ///
  /// - Parameter buffer: a place for it, which is used where it is not read with others.
  /// - Returns: the page, valid until the next call; shorter where the file ends in it; nil where the system reports a failure.
  mutating func page(
    _ number: UInt64,
    orInto buffer: UnsafeMutableRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    inOrder = number == expected ? inOrder + 1 : 0
    expected = number + 1
    if !known.contains(number) {
      // As many ahead as were in order: where few are, few are read for nothing.
      let pages = inOrder < 2 ? 1 : min(2 * inOrder, Self.most)
      known = 0..<0
      let place = UnsafeMutableRawBufferPointer(rebasing: window[..<(pages * pageSize)])
      guard pages > 1, let count = readFully(descriptor, place, at: Int(number) * pageSize), count >= pageSize
      else {
        // One by one, also where a page further on cannot be read, which may not be in use.
        guard let count = readFully(descriptor, buffer, at: Int(number) * pageSize) else { return nil }
        return UnsafeRawBufferPointer(rebasing: buffer[..<count])
      }
      known = number..<(number + UInt64(count / pageSize))
    }
    let start = Int(number - known.lowerBound) * pageSize
    return UnsafeRawBufferPointer(rebasing: window[start..<(start + pageSize)])
  }
}
