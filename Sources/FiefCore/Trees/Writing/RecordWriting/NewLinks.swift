/// The links that a save has created to objects that it does not write.
///
/// Links of one object in one column are kept together, because a save often appends many objects to one
/// list.
struct NewLinks {
  /// New links of one object in one column.
  final class Group {
    let table: Table
    let column: ColumnEntry
    let key: [UInt8]
    /// The keys of the targets, one after another.
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    init(_ table: Table, _ column: ColumnEntry, _ key: UnsafeRawBufferPointer) {
      self.table = table
      self.column = column
      self.key = [UInt8](key)
    }

    func isOf(_ table: Table, _ column: ColumnEntry, _ key: UnsafeRawBufferPointer) -> Bool {
      self.table === table && self.column.id == column.id
        && self.key.withUnsafeBytes { $0.hasSameBytes(as: key) }
    }

    func append(_ target: UnsafeRawBufferPointer) {
      bytes.append(contentsOf: target)
      ends.append(bytes.count)
    }

    /// Calls `body` with the key of each target.
    func forEachTarget(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
      try bytes.withUnsafeBytes { bytes in
        var start = 0
        for end in ends {
          try body(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
          start = end
        }
      }
    }
  }

  private(set) var groups: [Group] = []

  mutating func append(
    _ target: UnsafeRawBufferPointer,
    from key: UnsafeRawBufferPointer,
    _ column: ColumnEntry,
    of table: Table
  ) {
    if let last = groups.last, last.isOf(table, column, key) { return last.append(target) }
    let group = Group(table, column, key)
    group.append(target)
    groups.append(group)
  }
}
