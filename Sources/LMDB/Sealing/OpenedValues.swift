/// Values that one transaction has opened one by one: those of a write, whose pages are changing.
///
/// They stay until the transaction changes something. What is opened twice is opened once.
final class OpenedValues {
  // SAFETY: each chunk is allocated here with its capacity, and freed when it leaves `chunks`, or in `deinit`.
  private struct Chunk {
    let start: UnsafeMutableRawPointer
    let capacity: Int
    var count = 0
  }

  /// A value as LMDB has it.
  private struct Place: Hashable {
    let address: UInt
    let count: Int
  }

  private static let chunkSize = 64 << 10

  private var chunks: [Chunk] = []
  private var known: [Place: UnsafeRawBufferPointer] = [:]
  /// Whether the transaction has changed something since: addresses may be those of other values.
  private var isStale = false

  deinit { for chunk in chunks { chunk.start.deallocate() } }

  /// Forgets all values before the next one is opened.
  func forget() { isStale = true }

  /// The value that was opened before, if it still is there.
  func value(of sealed: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    if isStale { return nil }
    return known[Place(address: UInt(bitPattern: sealed.baseAddress), count: sealed.count)]
  }

  /// Opens a value; nil where it does not open.
  func open(
    _ sealed: UnsafeRawBufferPointer,
    of key: UnsafeRawBufferPointer,
    in tree: SealedTree
  ) -> UnsafeRawBufferPointer? {
    let count = sealed.count - tree.overhead
    guard count >= 0 else { return nil }
    if isStale { removeAll() }
    let place = room(for: max(count, 1))
    let value = UnsafeMutableRawBufferPointer(start: place, count: count)
    guard tree.open(sealed, of: key, into: value) else { return nil }
    let result = UnsafeRawBufferPointer(value)
    known[Place(address: UInt(bitPattern: sealed.baseAddress), count: sealed.count)] = result
    return result
  }

  private func removeAll() {
    isStale = false
    known.removeAll(keepingCapacity: known.count < 1 << 12)
    // One chunk is kept for the next values.
    while chunks.count > 1 { removeFirst() }
    if !chunks.isEmpty { chunks[0].count = 0 }
  }

  private func removeFirst() {
    let chunk = chunks.removeFirst()
    chunk.start.deallocate()
  }

  private func room(for count: Int) -> UnsafeMutableRawPointer {
    if let last = chunks.indices.last, chunks[last].capacity - chunks[last].count >= count {
      defer { chunks[last].count += count }
      return chunks[last].start + chunks[last].count
    }
    let capacity = max(count, Self.chunkSize)
    let start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    chunks.append(Chunk(start: start, capacity: capacity, count: count))
    return start
  }
}
