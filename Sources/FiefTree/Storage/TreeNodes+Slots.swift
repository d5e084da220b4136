import Fief
import LMDB

/// The records about the whole tree. Slot 0 has the version of the layout and the last slot of the ring; the
/// others are the ring (``ChangeRing``).
extension TreeNodes {
  /// The contents of slot 0.
  struct Head {
    let version: UInt64
    /// The last written slot of the ring; 0 before the first one.
    var lastSlot: UInt64 = 0
  }

  private static let headKey = key(ofSlot: TreeLayout.slot)

  private static func key(ofSlot slot: Int) -> [UInt8] {
    var encoder = KeyEncoder()
    encoder.append(slot)
    return encoder.bytes
  }

  /// Passes the contents of a slot to `body`.
  ///
  /// - Returns: `nil` if the slot was not written.
  /// - Throws: `FiefError` of code `damagedRecord`.
  func withContents<Value>(ofSlot slot: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) throws
    -> Value?
  {
    try withContents(of: Self.key(ofSlot: slot), body)
  }

  private func withContents<Value>(
    of key: [UInt8],
    _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value? {
    guard let slots = changes.records, let column = changes.entry.column(named: "contents") else {
      return nil
    }
    return try key.withUnsafeBytes { key in
      guard let record = try transaction.get(slots, key) else { return nil }
      let view = try changes.view(record)
      try view.verifyChecksum(key, of: changes)
      var value: Value?
      try changes.payload(of: column, in: view) {
        value = try body($0 ?? UnsafeRawBufferPointer(start: nil, count: 0))
      }
      return value
    }
  }

  /// Writes the contents of a slot.
  func put(_ contents: [UInt8], inSlot slot: Int, _ writer: RecordWriter) throws {
    guard let column = changes.entry.column(named: "contents") else { return }
    let record = try RecordEditor.make(of: changes) { $0.id == column.id ? contents : nil }
    try Self.key(ofSlot: slot).withUnsafeBytes { key in
      try record.withUnsafeBytes { try writer.put(key: key, record: $0, into: changes, hasChecksum: true) }
    }
  }

  /// Returns the contents of slot 0; `nil` if the tree has no entries.
  func head() throws -> Head? {
    try withContents(of: Self.headKey) { contents in
      guard contents.count >= 8 else { throw damaged("The version of a tree is damaged.") }
      var head = Head(version: UInt64(littleEndian: contents.loadUnaligned(as: UInt64.self)))
      if contents.count >= 16 {
        head.lastSlot = UInt64(littleEndian: contents.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      }
      return head
    }
  }

  func put(_ head: Head, _ writer: RecordWriter) throws {
    let numbers = [head.version.littleEndian, head.lastSlot.littleEndian]
    try put(numbers.withUnsafeBytes { [UInt8]($0) }, inSlot: TreeLayout.slot, writer)
  }

  func checkLayout() throws {
    guard let version = try head()?.version else { return }
    hasLayout = true
    if version > TreeLayout.current {
      throw FiefError(
        .formatTooNew,
        "A newer version of the library has written the tree.",
        store: storeName,
        details: ["layout of the tree: \(version)", "known layout: \(TreeLayout.current)"]
      )
    }
  }

  /// Writes the version of the layout unless it is there.
  func noteLayout(_ writer: RecordWriter) throws {
    if hasLayout { return }
    try put(Head(version: TreeLayout.current), writer)
    hasLayout = true
  }

  /// Removes the version of the layout and the ring with the last entry. The store then has no objects of the
  /// tree, so it can be emptied, and a migration may remove the classes.
  func forgetLayout(_ writer: RecordWriter, in scope: WriteTransaction?) throws {
    guard let slots = changes.records, try transaction.count(records) == 0 else { return }
    hasLayout = false
    var keys: [[UInt8]] = []
    let cursor = try transaction.cursor(slots)
    var found = try cursor.first()
    while found {
      keys.append([UInt8](cursor.key))
      found = try cursor.next()
    }
    if keys.isEmpty { return }
    let removed = RecordBatch()
    for key in keys {
      try key.withUnsafeBytes { key in
        if scope == nil {
          _ = try writer.delete(key: key, from: changes)
        } else {
          removed.append(key: key, record: UnsafeRawBufferPointer(start: nil, count: 0))
        }
      }
    }
    try scope?.delete(removed, from: changes)
  }
}
