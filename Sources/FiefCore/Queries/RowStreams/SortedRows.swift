/// The sorted rows, one by one: their keys, not their records.
final class SortedRows {
  private enum Source {
    case memory(EncodedBytes, [RowSorter.Entry])
    case files(SortMerge)
  }

  private let source: Source
  private let keep: Int
  private var position = 0

  init(bytes: EncodedBytes, entries: [RowSorter.Entry]) {
    source = .memory(bytes, entries)
    keep = entries.count
  }

  init(merging merge: SortMerge, keep: Int) {
    source = .files(merge)
    self.keep = keep
  }

  /// Calls `body` with the next row: its sort key, its key, and the values stored beside it.
  ///
  /// - Returns: the result of `body`, or `nil` at the end.
  func next<Result>(_ body: (SortedRow) throws -> Result) throws -> Result? {
    guard position < keep else { return nil }
    position += 1
    switch source {
    case .memory(let bytes, let entries):
      return try bytes.withUnsafeBytes { try body(SortedRow(entries[position - 1], in: $0)) }
    case .files(let merge):
      guard let reader = try merge.next() else { return nil }
      return try reader.withBytes { try body(SortedRow(reader.entry, in: $0)) }
    }
  }
}

/// A sorted row. Its bytes are valid only during the call that receives it.
struct SortedRow {
  let sortKey: UnsafeRawBufferPointer
  let key: UnsafeRawBufferPointer
  let extra: UnsafeRawBufferPointer

  init(_ entry: RowSorter.Entry, in bytes: UnsafeRawBufferPointer) {
    (sortKey, key) = entry.keys(in: bytes)
    let end = entry.offset + entry.count
    extra = UnsafeRawBufferPointer(rebasing: bytes[(end - Int(entry.extraCount))..<end])
  }
}

extension RowSorter.Entry {
  /// Returns the keys by which rows are compared.
  @inline(__always)
  func keys(in bytes: UnsafeRawBufferPointer) -> RowSorter.Keys {
    let middle = offset + Int(sortCount)
    return (
      UnsafeRawBufferPointer(rebasing: bytes[offset..<middle]),
      UnsafeRawBufferPointer(rebasing: bytes[middle..<(middle + Int(keyCount))])
    )
  }
}
