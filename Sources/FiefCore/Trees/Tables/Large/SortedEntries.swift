/// The sorted names of the entries of a large set or map in one state of the store.
///
/// The tree of an encrypted store has the entries in the order of their tokens.
struct SortedEntries: Sendable {
  private var bytes: [UInt8] = []
  private var names: [Range<Int>] = []

  var count: Int { names.count }
  /// The maximum size in memory, in bytes. An array reserves up to twice the memory that it needs.
  var size: Int { 2 * (bytes.count + names.count * MemoryLayout<Range<Int>>.stride) }

  mutating func add(_ name: UnsafeRawBufferPointer) {
    names.append(bytes.count..<(bytes.count + name.count))
    bytes += name
  }

  mutating func sort() {
    bytes.withUnsafeBytes { bytes in names.sort { bytes.compare($0, $1) < 0 } }
  }

  /// Calls `body` with the name at an index.
  func withName<Result>(at place: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[names[place]])) }
  }

  /// Returns the index of the first name after `name`.
  func place(behind name: [UInt8]) -> Int {
    name.withUnsafeBytes { name in
      var (low, high) = (0, names.count)
      while low < high {
        let middle = (low + high) / 2
        if withName(at: middle, { $0.compare(name) <= 0 }) { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }
}
