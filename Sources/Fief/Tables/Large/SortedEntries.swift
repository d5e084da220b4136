/// The entries of a large set or map in the order of their names, as one state of the store has them.
///
/// The tree of an encrypted store has them in the order of tokens.
struct SortedEntries: Sendable {
  private struct Entry: Sendable {
    var name: Range<Int>
    /// The element, and the key before it in a map.
    var whole: Range<Int>
  }

  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  var count: Int { entries.count }
  /// About the number of bytes that they take.
  var size: Int { bytes.count + entries.count * MemoryLayout<Entry>.size }

  mutating func add(_ run: ElementRun, type: ColumnType) throws {
    let base = bytes.count
    bytes += run.bytes
    try bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(UnsafeRawBufferPointer(rebasing: bytes[base...]), context: nil)
      for _ in 0..<run.count {
        let start = bytes.count - reader.rest.count
        let key = type.container == .map ? try reader.sized() : nil
        let keyEnd = bytes.count - reader.rest.count
        let element = try CollectionPayload.readElement(of: type, from: &reader)
        let end = bytes.count - reader.rest.count
        let name = key.map { (keyEnd - $0.count)..<keyEnd } ?? (end - element.count)..<end
        entries.append(Entry(name: name, whole: start..<end))
      }
    }
  }

  mutating func sort() {
    bytes.withUnsafeBytes { bytes in entries.sort { bytes.compare($0.name, $1.name) < 0 } }
  }

  /// The place of the first entry behind a name.
  func place(behind name: [UInt8]) -> Int {
    bytes.withUnsafeBytes { bytes in
      name.withUnsafeBytes { name in
        var (low, high) = (0, entries.count)
        while low < high {
          let middle = (low + high) / 2
          let found = UnsafeRawBufferPointer(rebasing: bytes[entries[middle].name])
          if found.compare(name) <= 0 { low = middle + 1 } else { high = middle }
        }
        return low
      }
    }
  }

  /// Some entries from a place on, which is then that behind them; nil at the end.
  func run(from place: inout Int) -> ElementRun? {
    var run = ElementRun.none
    while place < entries.count, run.bytes.count < ElementRun.usualBytes {
      run.bytes += bytes[entries[place].whole]
      run.count += 1
      place += 1
    }
    return run.count == 0 ? nil : run
  }
}

/// The entries that were sorted last in an encrypted store: who goes through a collection in parts would sort all of it for each.
struct KnownEntries: Sendable {
  /// The greatest size of entries that are kept, in bytes.
  static let largest = 32 << 20

  var collection: [UInt8]
  /// The commit whose state they are.
  var commit: UInt64
  var entries: SortedEntries
}
