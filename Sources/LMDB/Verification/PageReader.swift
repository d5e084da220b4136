/// Reads pages of a file with `pread`: individually, or many at once if they are requested in order.
///
/// A system call for each page takes longer than checking the page. Trees that were filled in the order of
/// their keys have their leaves in the order of the file.
struct PageReader: ~Copyable {
  // SAFETY: `window` is allocated once and freed with the reader. The result of `page` is used before its
  // next call.

  private let descriptor: Int32
  private let pageSize: Int
  /// Allocated when pages are first read in batches, because most trees of a small store have a single page.
  private var window: UnsafeMutableRawBufferPointer?
  /// The pages in the window.
  private var known: Range<UInt64> = 0..<0
  /// The page that would be next in order, and the number of consecutive requests that were in order.
  private var expected: UInt64 = 0
  private var inOrder = 0

  /// The maximum number of pages in one read.
  private static let most = 32

  init(_ descriptor: Int32, pageSize: Int) {
    self.descriptor = descriptor
    self.pageSize = pageSize
  }

  deinit { window?.deallocate() }

  /// Reads a page.
  ///
  /// - Parameter buffer: The memory for the page if it is read individually.
  /// - Returns: The page, valid until the next call. It is shorter if the file ends in it. `nil` if the
  ///   system reports a failure.
  mutating func page(
    _ number: UInt64,
    orInto buffer: UnsafeMutableRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    inOrder = number == expected ? inOrder + 1 : 0
    expected = number + 1
    if !known.contains(number) {
      // Reads ahead in proportion to the number of pages in order, so that few pages are read in vain.
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
      // This page is also read individually if a later page cannot be read, because the later page may not be
      // in use.
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
