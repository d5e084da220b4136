import LMDB

/// A stack of byte arrays. When it becomes large, it moves the older items to a tree of the store, so that
/// memory does not limit the number of items.
///
/// The user of the stack must pop all items or roll back the transaction.
struct SpillingStack {
  /// The maximum size in memory, in bytes.
  private static let limit = 1 << 20

  private let name: String
  private var bytes: [UInt8] = []
  /// The end of each item.
  private var ends: [Int] = []
  /// The number of runs of items in the tree.
  private var runs = 0

  init(_ name: String) { self.name = name }

  var isEmpty: Bool { ends.isEmpty && runs == 0 }
  private var size: Int { bytes.count + ends.count * MemoryLayout<Int>.stride }

  /// Pushes an item whose bytes `fill` appends.
  mutating func push(_ fill: (inout [UInt8]) -> Void) {
    fill(&bytes)
    ends.append(bytes.count)
  }

  /// Moves older items to the tree if the stack exceeds its maximum size in memory. Bytes in pages that were
  /// read before become invalid.
  mutating func bound(_ tree: Database, in transaction: LMDB.WritableTransaction) throws {
    guard size > Self.limit else { return }
    // Half of the items stay in memory, so that alternating pushes and pops do not move items back and forth.
    let count = max(1, ends.count / 2)
    let end = ends[count - 1]
    var run = ValueWriter(reserving: end + count * 4 + 8)
    run.appendCount(count)
    var start = 0
    for item in 0..<count {
      run.appendSized { writer in
        bytes.withUnsafeBytes { writer.append(UnsafeRawBufferPointer(rebasing: $0[start..<ends[item]])) }
      }
      start = ends[item]
    }
    try key(runs).withUnsafeBytes { key in try run.withBytes { try transaction.put(tree, key, $0) } }
    runs += 1
    bytes.removeFirst(end)
    ends.removeFirst(count)
    for item in ends.indices { ends[item] -= end }
  }

  /// Removes and returns the last item, or returns `nil` if the stack is empty.
  mutating func pop(_ tree: Database, in transaction: LMDB.WritableTransaction) throws -> [UInt8]? {
    if ends.isEmpty, runs > 0 { try read(tree, in: transaction) }
    guard let end = ends.popLast() else { return nil }
    let start = ends.last ?? 0
    let item = [UInt8](bytes[start..<end])
    bytes.removeLast(end - start)
    return item
  }

  private mutating func read(_ tree: Database, in transaction: LMDB.WritableTransaction) throws {
    runs -= 1
    let key = key(runs)
    try key.withUnsafeBytes { key in
      guard let run = try transaction.get(tree, key) else { throw RecordView.damaged }
      var reader = ValueReader(run, context: nil)
      for _ in 0..<(try reader.count()) {
        bytes.append(contentsOf: try reader.sized())
        ends.append(bytes.count)
      }
      _ = try transaction.delete(tree, key)
    }
  }

  private func key(_ run: Int) -> [UInt8] { Array("\(name):\(run)".utf8) }
}
