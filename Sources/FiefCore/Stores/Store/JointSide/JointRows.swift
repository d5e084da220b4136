import Foundation
import LMDB

/// The rows of a write to several stores, in the stores' catalogues.
///
/// A participant has a marker, which indicates that another store may have decided a write for it. For each
/// participant with changes, the coordinator has a head, and the journal of the changes in pieces. These rows
/// are the decision.
package enum JointRows {
  package static let prefix = Array("joint:".utf8)
  private static let version: UInt8 = 1

  package static func markerKey(_ id: UUID) -> [UInt8] { key("p", id) }

  package static func headKey(_ id: UUID, _ participant: UInt16) -> [UInt8] {
    key("c", id) + bigEndian(participant)
  }

  package static func pieceKey(_ id: UUID, _ participant: UInt16, _ piece: UInt32) -> [UInt8] {
    key("r", id) + bigEndian(participant) + bigEndian(piece)
  }

  package static let markers = prefix + Array("p:".utf8)
  package static let heads = prefix + Array("c:".utf8)
  static let pieces = prefix + Array("r:".utf8)

  private static func key(_ role: String, _ id: UUID) -> [UInt8] {
    prefix + Array("\(role):".utf8) + withUnsafeBytes(of: id.uuid) { Array($0) }
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  /// The other store of a row: the coordinator for a marker, the participant for a head.
  package struct Other: Sendable, Equatable {
    var storeID: UUID
    var name: String
    /// The relative path from the store with the row to the other store.
    var path: String
    var isInMemory: Bool
  }

  /// A marker or a head.
  package struct Row: Sendable, Equatable {
    package var id: UUID
    package var participant: UInt16
    package var other: Other
    /// The time at which the write began, in seconds since 1970.
    package var time: Int64
    /// The number of pieces of the journal; 0 for a marker.
    package var pieces: UInt32

    package init(id: UUID, participant: UInt16, other: Other, time: Int64, pieces: UInt32) {
      self.id = id
      self.participant = participant
      self.other = other
      self.time = time
      self.pieces = pieces
    }
  }

  static func value(of row: Row) -> [UInt8] {
    var writer = ValueWriter()
    writer.appendInteger(version)
    writer.appendInteger(row.participant)
    writer.appendInteger(row.time)
    writer.appendInteger(row.pieces)
    writer.appendInteger(UInt8(row.other.isInMemory ? 1 : 0))
    withUnsafeBytes(of: row.other.storeID.uuid) { writer.append($0) }
    writer.appendSized { $0.append(row.other.name) }
    writer.appendSized { $0.append(row.other.path) }
    return checked(writer.bytes)
  }

  /// - Parameter key: the key of a marker or a head.
  static func row(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Row {
    guard key.count >= markers.count + 16 else { throw damaged }
    let id = uuid(UnsafeRawBufferPointer(rebasing: key[markers.count..<(markers.count + 16)]))
    var reader = ValueReader(try contents(of: value), context: nil)
    do {
      guard try reader.integer(UInt8.self) == version else { throw damaged }
      let participant = try reader.integer(UInt16.self)
      let time = try reader.integer(Int64.self)
      let pieces = try reader.integer(UInt32.self)
      let isInMemory = try reader.integer(UInt8.self) == 1
      let storeID = uuid(try reader.take(16))
      let name = String(decoding: try reader.sized(), as: UTF8.self)
      let path = String(decoding: try reader.sized(), as: UTF8.self)
      let other = Other(storeID: storeID, name: name, path: path, isInMemory: isInMemory)
      return Row(id: id, participant: participant, other: other, time: time, pieces: pieces)
    } catch {
      throw damaged
    }
  }

  /// Returns bytes, preceded by their checksum.
  static func checked(_ bytes: [UInt8]) -> [UInt8] {
    let sum = bytes.withUnsafeBytes { RecordChecksum.compute($0) }
    return withUnsafeBytes(of: sum.littleEndian) { Array($0) } + bytes
  }

  /// Returns the bytes after a checksum, after verifying the checksum.
  static func contents(of value: UnsafeRawBufferPointer) throws -> UnsafeRawBufferPointer {
    guard value.count >= 4 else { throw damaged }
    let contents = UnsafeRawBufferPointer(rebasing: value[4...])
    let sum = UInt32(littleEndian: value.loadUnaligned(as: UInt32.self))
    guard RecordChecksum.compute(contents) == sum else { throw damaged }
    return contents
  }

  static var damaged: FiefError {
    FiefError(.damagedStore, "The journal of a write to several stores is damaged.")
  }

  private static func uuid(_ bytes: UnsafeRawBufferPointer) -> UUID {
    UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
  }
}

extension JointRows {
  /// Returns the rows of a kind.
  package static func rows(
    _ prefix: [UInt8],
    _ tree: Database,
    in transaction: LMDB.Transaction
  ) throws -> [Row] {
    var rows: [Row] = []
    try forEach(prefix, tree, in: transaction) { rows.append(try row($0, $1)) }
    return rows
  }

  /// Returns whether rows of a kind exist.
  static func hasRows(_ prefix: [UInt8], _ tree: Database, in transaction: LMDB.Transaction) throws -> Bool {
    let cursor = try transaction.cursor(tree)
    return try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) } && cursor.key.starts(with: prefix)
  }

  /// - Throws: ``JointPending`` if there are markers.
  package static func checkNoMarkers(_ tree: Database, in transaction: LMDB.Transaction) throws {
    if try hasRows(markers, tree, in: transaction) { throw JointPending() }
  }

  package static func forEach(
    _ prefix: [UInt8],
    _ tree: Database,
    in transaction: LMDB.Transaction,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let cursor = try transaction.cursor(tree)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      try body(cursor.key, cursor.value)
      found = try cursor.next()
    }
  }

  package static func put(
    _ row: Row,
    key: [UInt8],
    _ tree: Database,
    in transaction: LMDB.WritableTransaction
  ) throws {
    try key.withUnsafeBytes { key in
      try value(of: row).withUnsafeBytes { try transaction.put(tree, key, $0) }
    }
  }

  package static func delete(_ key: [UInt8], _ tree: Database, in transaction: LMDB.WritableTransaction)
    throws
  {
    _ = try key.withUnsafeBytes { try transaction.delete(tree, $0) }
  }

  /// Removes a participant's head and journal from the coordinator.
  package static func deleteDecision(_ row: Row, _ tree: Database, in transaction: LMDB.WritableTransaction)
    throws
  {
    for piece in 0..<row.pieces {
      try delete(pieceKey(row.id, row.participant, piece), tree, in: transaction)
    }
    try delete(headKey(row.id, row.participant), tree, in: transaction)
  }
}
