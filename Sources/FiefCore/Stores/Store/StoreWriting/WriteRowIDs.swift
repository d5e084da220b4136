import LMDB

/// The row ids that a write has reserved. They are valid only if the write commits.
final class WriteRowIDs {
  private let store: StoreCore
  private let writer: RecordWriter
  // Only the thread of the write uses them, one call after the other.
  @exclusivity(unchecked) private var reserved: [UInt32: Range<Int64>] = [:]
  /// The ids of saves that were submitted to the queue during the write.
  @exclusivity(unchecked) private var claims: [RowIDClaims] = []

  init(_ store: StoreCore, _ writer: RecordWriter) {
    self.store = store
    self.writer = writer
  }

  /// Returns the next row id of a type.
  func next(_ table: Table) throws -> Int64 {
    let type = table.entry.id
    if let id = store.rowIDs.next(for: type) { return id }
    if reserved[type, default: 0..<0].isEmpty {
      reserved[type] = try writer.reserveRowIDs(store.rowIDs.blockSize(for: type), for: table)
    }
    return reserved[type, default: 0..<1].removeFirstID()
  }

  /// Returns a row id for a save that is submitted to the queue, after the ids of the store's block were used
  /// up.
  func claim(_ table: Table, for claims: RowIDClaims) throws -> Int64 {
    let id = try next(table)
    claims.add(id, of: table)
    if !self.claims.contains(where: { $0 === claims }) { self.claims.append(claims) }
    return id
  }

  /// Returns the claims on the ids of objects that the write has not reserved yet. The ids belong to saves of
  /// this write, or of writes that were rolled back.
  func newClaims(on objects: [ObjectBase]) throws -> [RowIDClaims] {
    try store.claimedRowIDs.claims(on: objects, in: store).filter { claim in
      !claims.contains { $0 === claim }
    }
  }

  /// Adds claims whose ids the write has reserved.
  func add(_ claims: [RowIDClaims]) { self.claims += claims }

  /// Lets any writer use the rest of the ids.
  func didCommit() {
    for (type, ids) in reserved where !ids.isEmpty { store.rowIDs.add(ids, for: type) }
    reserved = [:]
    claims.forEach { $0.confirm() }
    claims = []
  }
}
