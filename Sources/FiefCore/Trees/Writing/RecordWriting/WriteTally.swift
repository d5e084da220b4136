/// The numbers of objects that a write has written and deleted, by type. They take effect when the write
/// commits.
struct WriteTally {
  struct Counts {
    var writes = 0
    var deletes = 0
    var bytes = 0
  }

  /// The counts, indexed by the numbers of the tables. The array grows as needed.
  private(set) var tables: [Counts] = []

  var isEmpty: Bool { tables.isEmpty }

  @inline(__always)
  mutating func put(_ table: Table, bytes: Int) {
    reach(table.number)
    tables[table.number].writes &+= 1
    tables[table.number].bytes &+= bytes
  }

  /// Counts the elements of a large collection, which are stored apart from the record.
  mutating func putElements(of table: Table, bytes: Int) {
    reach(table.number)
    tables[table.number].bytes &+= bytes
  }

  @inline(__always)
  mutating func delete(_ table: Table, count: Int = 1) {
    reach(table.number)
    tables[table.number].deletes &+= count
  }

  mutating func append(_ other: WriteTally) {
    for (number, counts) in other.tables.enumerated() {
      reach(number)
      tables[number].writes &+= counts.writes
      tables[number].deletes &+= counts.deletes
      tables[number].bytes &+= counts.bytes
    }
  }

  /// Returns the counts so far, and resets them.
  mutating func take() -> WriteTally {
    defer { tables = [] }
    return self
  }

  @inline(__always)
  private mutating func reach(_ number: Int) {
    if number >= tables.count { grow(number) }
  }

  @inline(never)
  private mutating func grow(_ number: Int) {
    tables.append(contentsOf: repeatElement(Counts(), count: number + 1 - tables.count))
  }
}
