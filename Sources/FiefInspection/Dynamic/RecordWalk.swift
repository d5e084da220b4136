import FiefCore
import LMDB

/// Reads the records of a table after a key, in batches. The walk visits the records that existed when it
/// began.
final class RecordWalk: RowLoop {
  private let table: Table
  private let records: Database
  private let transaction: LMDB.Transaction
  private var position: [UInt8]?
  /// Whether the record at the position is still to be read.
  private var isAtPosition = false
  /// The remaining keys, or `nil` as long as the table has not changed.
  private var keys: KeyQueue?
  private var failure: (any Error)?

  init(_ table: Table, _ records: Database, after position: [UInt8]?, in transaction: LMDB.Transaction) {
    self.table = table
    self.records = records
    self.position = position
    self.transaction = transaction
  }

  func isConcerned(by table: Table?) -> Bool { table === self.table }

  func keepRest() {
    var rest = KeyQueue()
    do {
      try forEachRecord { key, _ in
        rest.append(key); return true
      }
    } catch { failure = error }
    keys = rest
  }

  /// The copy of a record, or the error of a record that cannot be decrypted.
  typealias Record = Result<[UInt8], any Error>

  /// Returns copies of the next records, or an empty array at the end.
  func next(_ count: Int) throws -> [(key: [UInt8], record: Record)] {
    if let failure { throw failure }
    var batch: [(key: [UInt8], record: Record)] = []
    if keys != nil {
      var isAtEnd = false
      while batch.count < count, !isAtEnd {
        let found: Void? = try keys?.next { key in
          if let record = try transaction.get(records, key) {
            batch.append(([UInt8](key), .success([UInt8](record))))
          }
        }
        isAtEnd = found == nil
      }
      return batch
    }
    do {
      try forEachRecord { key, cursor in
        batch.append(([UInt8](key), Record { [UInt8](try cursor.readValue()) }))
        return batch.count < count
      }
    } catch {
      // The next call fails at the same place.
      if batch.isEmpty { throw error }
    }
    if let last = batch.last { (position, isAtPosition) = (last.key, false) }
    return batch
  }

  /// The key of the last record that was returned, or the key after which the walk began.
  var lastKey: [UInt8]? { isAtPosition ? nil : position }

  /// Continues behind damaged pages: with the first of the records from which the end can be reached.
  ///
  /// - Returns: the key of this record, or `nil` if no further record can be read.
  func skipDamage() -> [UInt8]? {
    var next: [UInt8]?
    do {
      let cursor = try transaction.cursor(records)
      while try cursor.previous() {
        let key = [UInt8](cursor.key)
        if let position, !position.lexicographicallyPrecedes(key) { break }
        next = key
      }
    } catch {
      // The walk from the end has reached the damage.
    }
    if let next { (position, isAtPosition) = (next, true) }
    return next
  }

  private func forEachRecord(_ body: (UnsafeRawBufferPointer, Cursor) -> Bool) throws {
    let cursor = try transaction.cursor(records)
    var found: Bool
    if let position {
      found = try position.withUnsafeBytes { try cursor.seekKey(atOrAfter: $0) }
      if found, !isAtPosition, cursor.key.elementsEqual(position) { found = try cursor.nextKey() }
    } else {
      found = try cursor.nextKey()
    }
    while found, body(cursor.key, cursor) { found = try cursor.nextKey() }
  }
}
