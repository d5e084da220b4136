/// The values that one transaction has opened individually: the values of a write, whose pages change, and
/// the values that a read has looked up in pages that are not open.
///
/// The values of a read stay until its end. The values of a write stay as long as values in LMDB's pages are
/// valid: at least until the transaction makes a change, and after that until 16 MiB of other values were
/// opened. A value that is read several times between two changes is opened once.
final class DecryptedValues {
  // SAFETY: each chunk is allocated here with its capacity, and freed when it is removed from `chunks` or in
  // `deinit`.
  private struct Chunk {
    let start: UnsafeMutableRawPointer
    let capacity: Int
    var count = 0
  }

  /// The address of a value in LMDB's page, and the mark of its tree, key and length. The mark is needed
  /// because two entries of a forged file may lead to one page.
  private struct Place: Hashable {
    let address: UInt
    let mark: UInt64

    init(_ sealed: UnsafeRawBufferPointer, of key: UnsafeRawBufferPointer, in tree: SealedTree) {
      address = UInt(bitPattern: sealed.baseAddress)
      mark = tree.mark(of: key, count: sealed.count)
    }
  }

  private static let chunkSize = 64 << 10
  /// The number of bytes that are kept beyond a change.
  private static let limit = 16 << 20

  private var chunks: [Chunk] = []
  private var bytes = 0
  private var known: [Place: UnsafeRawBufferPointer] = [:]
  /// Whether the transaction has changed anything since the values were opened, so that their addresses may
  /// belong to other values.
  private var isStale = false
  /// Whether the last page or value could not be opened because the system has no memory for it.
  var lacksMemory = false

  deinit { for chunk in chunks { chunk.start.deallocate() } }

  /// Records that the transaction has made a change.
  func didChange() { isStale = true }

  /// Returns the opened value if it was opened before and is still valid.
  func value(
    of sealed: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    in tree: SealedTree
  ) -> UnsafeRawBufferPointer? {
    if isStale { return nil }
    return known[Place(sealed, of: key, in: tree)]
  }

  /// Opens a value, or returns `nil` if it does not open.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    in tree: SealedTree
  ) -> UnsafeRawBufferPointer? {
    if isStale { forgetPlaces() }
    guard let value = openOnce(sealed, of: key, in: tree) else { return nil }
    known[Place(sealed, of: key, in: tree)] = value
    return value
  }

  /// Opens a value that will not be looked up by its address, or returns `nil` if it does not open.
  func openOnce(
    _ sealed: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    in tree: SealedTree
  ) -> UnsafeRawBufferPointer? {
    lacksMemory = false
    let count = sealed.count - tree.overhead
    guard count >= 0 else { return nil }
    let value = UnsafeMutableRawBufferPointer(start: room(for: max(count, 1)), count: count)
    return tree.open(sealed, of: key, into: value) ? UnsafeRawBufferPointer(value) : nil
  }

  /// Discards all values because their transaction has ended. Keeps memory for the next transaction.
  func forgetAll() {
    isStale = false
    lacksMemory = false
    if !known.isEmpty { known = [:] }
    guard let first = chunks.first else { return }
    if chunks.count == 1, first.capacity == Self.chunkSize {
      chunks[0].count = 0
      return
    }
    for chunk in chunks { chunk.start.deallocate() }
    chunks = []
    bytes = 0
  }

  private func forgetPlaces() {
    isStale = false
    known.removeAll(keepingCapacity: known.count < 1 << 12)
    guard bytes > Self.limit else { return }
    var first = 0
    while bytes > Self.limit / 2, first + 1 < chunks.count {
      bytes -= chunks[first].capacity
      chunks[first].start.deallocate()
      first += 1
    }
    chunks.removeFirst(first)
  }

  private func room(for count: Int) -> UnsafeMutableRawPointer {
    if let last = chunks.indices.last, chunks[last].capacity - chunks[last].count >= count {
      defer { chunks[last].count += count }
      return chunks[last].start + chunks[last].count
    }
    let capacity = max(count, Self.chunkSize)
    let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    chunks.append(Chunk(start: start, capacity: capacity, count: count))
    bytes += capacity
    return start
  }
}
