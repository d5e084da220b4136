/// Reads pages of a file with `pread`: one by one, or many at once where they are asked for in their order.
///
/// A call of the system for each page takes longer than looking at the page. Trees that were filled in the order of their keys have
/// their leaves in the order of the file.
struct PageReader: ~Copyable {
  // SAFETY: `window` is allocated once and freed with the reader, and what `page` returns is used before its next call.

  private let descriptor: Int32
  private let pageSize: Int
  /// Made when pages are read at once: most trees of a small store have one page.
  private var window: UnsafeMutableRawBufferPointer?
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
  }

  deinit { window?.deallocate() }

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
      if pages > 1 {
        let place = UnsafeMutableRawBufferPointer(rebasing: openWindow()[..<(pages * pageSize)])
        if let count = readFully(descriptor, place, at: Int(number) * pageSize), count >= pageSize {
          known = number..<(number + UInt64(count / pageSize))
        }
      }
    }
    guard let window, known.contains(number) else {
      // One by one, also where a page further on cannot be read, which may not be in use.
      guard let count = readFully(descriptor, buffer, at: Int(number) * pageSize) else { return nil }
      return UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
    let start = Int(number - known.lowerBound) * pageSize
    return UnsafeRawBufferPointer(rebasing: window[start..<(start + pageSize)])
  }

  private mutating func openWindow() -> UnsafeMutableRawBufferPointer {
    if let window { return window }
    let made = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.most * pageSize, alignment: 16)
    window = made
    return made
  }
}
