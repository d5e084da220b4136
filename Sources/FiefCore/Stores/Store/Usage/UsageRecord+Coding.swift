import LMDB

/// The row of the saved usage in the catalogue's tree; docs/format.md describes it.
extension UsageRecord {
  static let key = Array("usage".utf8)
  private static let version: UInt8 = 1

  /// - Throws: ``FiefError`` of code `damagedStore` if the row is damaged.
  package static func stored(_ tree: Database, in transaction: LMDB.Transaction) throws -> UsageRecord? {
    try key.withUnsafeBytes { try transaction.get(tree, $0) }.map { try UsageRecord(bytes: $0) }
  }

  func store(_ tree: Database, in transaction: LMDB.WritableTransaction) throws {
    try Self.key.withUnsafeBytes { key in
      try bytes.withUnsafeBytes { try transaction.put(tree, key, $0) }
    }
  }

  private var bytes: [UInt8] {
    var writer = ValueWriter()
    writer.appendInteger(Self.version)
    for period in Budget.Period.allCases {
      writer.appendInteger(self[period].number)
      Self.append(self[period].types, to: &writer)
      Self.append(self[period].labels, to: &writer)
    }
    let sum = writer.withBytes { RecordChecksum.compute($0) }
    writer.appendInteger(sum)
    return writer.bytes
  }

  private static func append(_ counts: [String: Usage.Counts], to writer: inout ValueWriter) {
    writer.appendCount(counts.count)
    for (name, counts) in counts.sorted(by: { $0.key < $1.key }) {
      writer.appendSized { $0.append(name) }
      for quantity in Budget.Quantity.allCases { writer.appendInteger(counts[quantity]) }
    }
  }

  private init(bytes: UnsafeRawBufferPointer) throws(FiefError) {
    guard bytes.count > 4 else { throw Self.damaged }
    let body = UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - 4)])
    let sum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: body.count, as: UInt32.self))
    guard sum == RecordChecksum.compute(body) else { throw Self.damaged }
    var reader = ValueReader(body, context: nil)
    guard try reader.integer(UInt8.self) == Self.version else { throw Self.damaged }
    for period in Budget.Period.allCases {
      self[period].number = try reader.integer(Int64.self)
      self[period].types = try Self.counts(from: &reader)
      self[period].labels = try Self.counts(from: &reader)
    }
  }

  private static func counts(from reader: inout ValueReader) throws(FiefError) -> [String: Usage.Counts] {
    var all: [String: Usage.Counts] = [:]
    for _ in 0..<(try reader.count()) {
      let name = String(decoding: try reader.sized(), as: UTF8.self)
      var counts = Usage.Counts()
      counts.reads = try reader.integer(UInt64.self)
      counts.writes = try reader.integer(UInt64.self)
      counts.deletes = try reader.integer(UInt64.self)
      counts.bytesRead = try reader.integer(UInt64.self)
      counts.bytesWritten = try reader.integer(UInt64.self)
      all[name] = counts
    }
    return all
  }

  static var damaged: FiefError { FiefError(.damagedStore, "The usage statistics of the store are damaged.") }
}
