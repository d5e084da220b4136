/// The costs of the reads of one scope, or of one part of a read, by type. The costs are plain numbers, and
/// are added to the store's counters at the end.
package struct ReadCosts {
  /// The reads of objects of one type.
  struct Cost {
    /// The index of the type's table.
    let table: Int
    var reads = 0
    var bytes = 0
  }

  /// The type that was read last. Most scopes read only one type.
  private var last = Cost(table: -1)
  private var others: [Cost] = []

  var isEmpty: Bool { last.table < 0 }

  /// The reads, if all of them are of one type; otherwise nil.
  @inline(__always)
  var only: Cost? { others.isEmpty ? last : nil }

  @inline(__always)
  package mutating func add(_ table: Table, reads: Int = 1, bytes: Int = 0) {
    if last.table != table.number { change(to: table.number) }
    last.reads &+= reads
    last.bytes &+= bytes
  }

  @inline(never)
  private mutating func change(to table: Int) {
    if last.table >= 0 { others.append(last) }
    if let index = others.firstIndex(where: { $0.table == table }) {
      last = others.remove(at: index)
    } else {
      last = Cost(table: table)
    }
  }

  func forEach(_ body: (Cost) -> Void) {
    if isEmpty { return }
    body(last)
    others.forEach(body)
  }
}
