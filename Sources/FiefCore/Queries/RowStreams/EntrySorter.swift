import LMDB

/// Sorts entries by their keys, in bounded memory.
///
/// Entries that do not fit into memory are written to a temporary file in sorted runs. If there are many runs,
/// they are joined, so that memory does not grow with the number of entries. Entries with equal keys keep the
/// order in which they were added.
package final class EntrySorter {
  /// The size of a value, in bytes, from which it is stored outside of the runs.
  private static let largeValue = 16 << 10
  /// The number of runs that are joined at once.
  private static let runsAtOnce = 64

  private let memory: Int
  private let directory: String
  private let sealing: (any ValueSealing)?
  // Accesses cannot overlap: the sorter calls no code of its users while it uses the properties.
  @exclusivity(unchecked) private var writer = ValueWriter()
  @exclusivity(unchecked) private var entries: [RowSorter.Entry] = []
  /// Whether the entries in memory were added in the order of their keys.
  @exclusivity(unchecked) private var isInOrder = true
  private var spill: SortSpill?
  /// For each run, the number of times that its entries were joined.
  private var levels: [Int] = []
  private var isFinished = false

  /// - Parameters:
  ///   - memory: the maximum memory for entries in bytes. A sort that joins runs needs a few megabytes more.
  ///   - directory: the directory of the temporary file.
  ///   - sealing: the encryption of the store's values, or `nil` for none.
  package init(memory: Int, directory: String, sealing: (any ValueSealing)?) {
    self.memory = memory
    self.directory = directory
    self.sealing = sealing
  }

  /// Adds an entry.
  ///
  /// - Throws: ``FiefError`` of code `storeFull` or `inputOutput`.
  package func add(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws {
    let isLarge = value.count >= Self.largeValue
    let size = key.count + (isLarge ? 16 : value.count) + MemoryLayout<RowSorter.Entry>.stride
    if writer.count + entries.count * MemoryLayout<RowSorter.Entry>.stride + size > memory { try endRun() }
    let offset = writer.count
    writer.append(key)
    if isLarge {
      let block = try file().store(value)
      writer.appendInteger(block.offset)
      writer.appendInteger(Int64(block.count))
    } else {
      writer.append(value)
    }
    let entry = RowSorter.Entry(
      prefix: 0,
      offset: offset,
      sortCount: UInt32(truncatingIfNeeded: key.count),
      keyCount: isLarge ? 0 : UInt32(truncatingIfNeeded: value.count),
      extraCount: isLarge ? 16 : 0
    )
    if isInOrder, let last = entries.last {
      isInOrder = writer.withBytes { last.keys(in: $0).sort.compare(key) <= 0 }
    }
    entries.append(entry)
  }

  private func file() throws -> SortSpill {
    if let spill { return spill }
    let made = try SortSpill(sealing, directory: directory)
    spill = made
    return made
  }

  private func sort() {
    if isInOrder { return }
    // The sort of the standard library is stable.
    writer.withBytes { bytes in
      entries.sort { $0.keys(in: bytes).sort.compare($1.keys(in: bytes).sort) < 0 }
    }
    isInOrder = true
  }

  private func endRun() throws {
    if entries.isEmpty { return }
    sort()
    let file = try file()
    try writer.withBytes { try file.append(entries, $0) }
    entries.removeAll(keepingCapacity: true)
    writer.removeAll()
    levels.append(0)
    while let level = levels.last, levels.count >= Self.runsAtOnce,
      levels.suffix(Self.runsAtOnce).allSatisfy({ $0 == level })
    {
      try file.joinRuns(Self.runsAtOnce) { Self.isBefore($0, $1) }
      levels.removeLast(Self.runsAtOnce)
      levels.append(level + 1)
    }
  }

  private static func isBefore(_ first: RowSorter.Keys, _ second: RowSorter.Keys) -> Bool {
    first.sort.compare(second.sort) < 0
  }

  /// Returns the entries in the order of their keys. It can be called several times; no entry may be added
  /// after the first call.
  package func sorted() throws -> EntryStream {
    if !isFinished {
      isFinished = true
      if levels.isEmpty {
        sort()
      } else {
        try endRun()
        // The memory of the entries is used by the merge.
        entries = []
        writer = ValueWriter()
      }
    }
    if levels.isEmpty { return EntryStream(sorter: self, merge: nil) }
    return EntryStream(sorter: self, merge: try file().merge { Self.isBefore($0, $1) })
  }

  fileprivate func withEntry<Result>(
    at index: Int,
    _ body: (RowSorter.Entry, UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard index < entries.count else { return nil }
    return try writer.withBytes { try body(entries[index], $0) }
  }

  /// Calls `body` with the key and the value of an entry.
  fileprivate func read<Result>(
    _ entry: RowSorter.Entry,
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let (key, value) = entry.keys(in: bytes)
    if entry.extraCount == 0 { return try body(key, value) }
    let place = entry.offset + Int(entry.sortCount)
    let block = SortSpill.Block(
      offset: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self)),
      count: Int(Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self)))
    )
    return try file().read(block).withUnsafeBytes { try body(key, $0) }
  }
}

/// The entries of a sorter in the order of their keys.
package final class EntryStream {
  private let sorter: EntrySorter
  /// The merge of the runs; `nil` if all entries are in memory.
  private let merge: SortMerge?
  private var index = 0

  fileprivate init(sorter: EntrySorter, merge: SortMerge?) {
    self.sorter = sorter
    self.merge = merge
  }

  /// Calls `body` with the key and the value of the next entry. The bytes are valid during the call.
  ///
  /// - Returns: the result of `body`, or `nil` at the end.
  package func next<Result>(
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    guard let merge else {
      defer { index += 1 }
      return try sorter.withEntry(at: index) { try sorter.read($0, $1, body) }
    }
    guard let reader = try merge.next() else { return nil }
    return try reader.withBytes { try sorter.read(reader.entry, $0, body) }
  }
}
