import LMDB

/// Sorts rows by a sort key, in bounded memory.
///
/// It keeps only keys, not records. If there is a limit, it drops the keys beyond the limit when it has twice
/// as many, and then rejects most rows by their first eight bytes. Keys that do not fit into memory are
/// written to a temporary file in sorted runs, which are merged at the end.
final class RowSorter {
  /// One row: the position of its bytes, and the first of these bytes as a big-endian number.
  struct Entry {
    var prefix: UInt64
    var offset: Int
    var sortCount: UInt32
    var keyCount: UInt32
    var extraCount: UInt32

    var count: Int { Int(sortCount) + Int(keyCount) + Int(extraCount) }
  }

  private let order: RowOrder
  /// The order of the values that must be distinct. These values are stored with the key.
  private let extra: RowOrder?
  private let keep: Int
  private let isReversed: Bool
  private let memory: Int
  /// Whether rows are identified by their positions in a collection.
  private let hasPlaces: Bool
  /// The encryption of the temporary file, or `nil` if the store is not encrypted.
  private let sealing: (any ValueSealing)?
  // Accesses cannot overlap: operands that are evaluated during an access read the bytes of rows, and nothing
  // that they call has a reference to the sorter.
  @exclusivity(unchecked) private var writer = ValueWriter()
  @exclusivity(unchecked) private var spare = ValueWriter()
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The last row within the limit, if there are enough rows.
  @exclusivity(unchecked) private var threshold: Entry?
  /// Rejects most rows by their first sort value, if there is a threshold.
  @exclusivity(unchecked) private var filter: LeadingFilter?
  @exclusivity(unchecked) private var spill: SortSpill?
  /// The number of rows between the bounds.
  @exclusivity(unchecked) private(set) var total = 0

  /// - Parameters:
  ///   - keep: the number of wanted rows; `nil` for all.
  ///   - isReversed: whether the last rows are wanted. They are returned in reverse order.
  ///   - memory: the approximate memory limit in bytes.
  ///   - hasPlaces: whether rows are identified by their positions in a collection.
  ///   - sealing: the encryption of the temporary file, or `nil` if the store is not encrypted.
  init(
    _ order: RowOrder,
    extra: RowOrder? = nil,
    keep: Int?,
    isReversed: Bool,
    memory: Int,
    hasPlaces: Bool = false,
    sealing: (any ValueSealing)? = nil
  ) {
    self.order = order
    self.extra = extra
    self.keep = keep ?? .max
    self.isReversed = isReversed
    self.memory = memory
    self.hasPlaces = hasPlaces
    self.sealing = sealing
  }

  func add(_ row: QueryRow, in environment: QueryEnvironment, if bounds: RowBounds?) throws {
    try environment.withIdentity(of: row, hasPlaces: hasPlaces) {
      try add(row, $0, in: environment, if: bounds)
    }
  }

  @inline(__always)
  private func add(
    _ row: QueryRow,
    _ identity: UnsafeRawBufferPointer,
    in environment: QueryEnvironment,
    if bounds: RowBounds?
  ) throws {
    if let threshold, !isReversed, bounds == nil,
      let prefix = try order.leastPrefix(of: row, in: environment), prefix > threshold.prefix
    {
      total += 1
      return
    }
    let start = writer.count
    try order.append(row, in: environment, to: &writer)
    let sortCount = writer.count - start
    let isWanted = writer.withBytes { bytes in
      let sortKey = UnsafeRawBufferPointer(rebasing: bytes[start...])
      if let bounds, !bounds.contain(sortKey, identity) { return false }
      total += 1
      if keep == 0 { return false }
      guard let threshold else { return true }
      return isBefore(
        (sortKey, identity),
        (slice(bytes, threshold.offset, Int(threshold.sortCount)), key(of: threshold, in: bytes))
      )
    }
    guard isWanted else { return writer.truncate(to: start) }
    writer.append(identity)
    let extraStart = writer.count
    try extra?.append(row, in: environment, to: &writer)
    entries.append(
      Entry(
        prefix: writer.withBytes { Self.prefix(slice($0, start, sortCount)) },
        offset: start,
        sortCount: UInt32(truncatingIfNeeded: sortCount),
        keyCount: UInt32(truncatingIfNeeded: identity.count),
        extraCount: UInt32(truncatingIfNeeded: writer.count - extraStart)
      )
    )
    if keep < .max / 4, entries.count >= max(keep * 2, 256) { prune() }
    if writer.count + entries.count * MemoryLayout<Entry>.stride >= memory { try spillRun() }
  }

  /// Adds the selected rows of a block.
  func add(_ block: borrowing RowBlock, in environment: QueryEnvironment, if bounds: RowBounds?) throws {
    let run = block.run
    var index = 0
    while index < block.count {
      if let filter, bounds == nil {
        let start = index
        while index < block.count, !filter.mayHave(run.value(block[index])) { index &+= 1 }
        total &+= index &- start
        if index == block.count { return }
      }
      if let row = try block.row(block[index], in: environment, if: nil) {
        try add(row, in: environment, if: bounds)
      }
      index &+= 1
    }
  }

  /// Returns the rows in order.
  func finish() throws -> SortedRows {
    if spill != nil { try spillRun() }
    guard let spill else {
      sort()
      if entries.count > keep { entries.removeLast(entries.count - keep) }
      return SortedRows(bytes: writer.takeBytes(), entries: entries)
    }
    return SortedRows(merging: try spill.merge { [self] in isBefore($0, $1) }, keep: keep)
  }

  private func sort() {
    let usesPrefix = !order.usesLocale && !isReversed
    writer.withBytes { bytes in
      entries.sort { first, second in
        if usesPrefix, first.prefix != second.prefix { return first.prefix < second.prefix }
        return isBefore(
          (slice(bytes, first.offset, Int(first.sortCount)), key(of: first, in: bytes)),
          (slice(bytes, second.offset, Int(second.sortCount)), key(of: second, in: bytes))
        )
      }
    }
  }

  /// Drops all rows beyond the limit.
  private func prune() {
    sort()
    entries.removeLast(max(0, entries.count - keep))
    spare.removeAll()
    writer.withBytes { bytes in
      for index in entries.indices {
        let offset = spare.count
        spare.append(slice(bytes, entries[index].offset, entries[index].count))
        entries[index].offset = offset
      }
    }
    swap(&writer, &spare)
    threshold = entries.last
    filter = isReversed ? nil : threshold.flatMap { order.leadingFilter(notAbove: $0.prefix) }
  }

  private func spillRun() throws {
    if keep < .max / 4, entries.count > keep { prune() } else { sort() }
    guard writer.count + entries.count * MemoryLayout<Entry>.stride >= memory / 2 || spill != nil else {
      return
    }
    let spill = try self.spill ?? SortSpill(sealing)
    self.spill = spill
    try writer.withBytes { try spill.append(entries, $0) }
    entries.removeAll(keepingCapacity: true)
    writer.removeAll()
    threshold = nil
    filter = nil
  }

  typealias Keys = (sort: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer)

  /// Whether one row comes before another. Rows with equal sort keys are ordered by their object keys.
  private func isBefore(_ first: Keys, _ second: Keys) -> Bool {
    var result = order.compare(first.sort, second.sort)
    if result == 0 { result = ByteRange.compare(first.key, second.key) }
    return isReversed ? result > 0 : result < 0
  }

  @inline(__always)
  private func slice(_ bytes: UnsafeRawBufferPointer, _ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }

  @inline(__always)
  private func key(of entry: Entry, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    slice(bytes, entry.offset + Int(entry.sortCount), Int(entry.keyCount))
  }

  /// Returns the first eight bytes as a number with the same order.
  @inline(__always)
  private static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
    return prefix
  }
}
