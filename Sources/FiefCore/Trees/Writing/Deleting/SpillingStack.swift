import LMDB

/// Items of bytes, the last in the first out. While there are many, the older ones are in the store's own tree, so
/// that there can be any number of them.
///
/// The user of the stack pops all items, or rolls the transaction back.
struct SpillingStack {
  /// The greatest size in memory, in bytes.
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

  /// Adds an item, whose bytes `fill` appends.
  mutating func push(_ fill: (inout [UInt8]) -> Void) {
    fill(&bytes)
    ends.append(bytes.count)
  }

  /// Keeps what is in memory within its bounds; bytes in pages that were looked up before are of no use after it.
  mutating func bound(_ tree: Database, in transaction: LMDB.WritableTransaction) throws {
    guard size > Self.limit else { return }
    // A half stays, so that an item more and one less do not move the rest to and fro.
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

  /// Takes the last item; nil where there is none.
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
