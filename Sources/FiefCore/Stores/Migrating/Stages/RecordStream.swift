import LMDB

/// Reads the records of a tree in key order, in batches, so that the tree can be changed between batches.
struct RecordStream {
  private static let largestBatch = 128
  private static let largestBytes = 1 << 20

  typealias Element = (key: [UInt8], record: [UInt8])

  private let database: Database
  private let transaction: LMDB.Transaction
  /// The last key to read, or `nil` for no limit.
  private let end: [UInt8]?
  private var batch: [Element] = []
  private var position = 0
  private var last: [UInt8]?

  /// - Parameter isBounded: whether to skip objects that are added after the current last key. Otherwise a
  ///   loop that adds objects might never end.
  init(_ database: Database, of transaction: LMDB.Transaction, isBounded: Bool = false) throws {
    self.database = database
    self.transaction = transaction
    let cursor = try isBounded ? transaction.cursor(database) : nil
    end = try cursor.flatMap { try $0.last() ? [UInt8]($0.key) : nil }
  }

  /// Returns the next record, or `nil` at the end.
  mutating func next() throws -> Element? {
    if position == batch.count { try fill() }
    guard position < batch.count else { return nil }
    defer { position += 1 }
    return batch[position]
  }

  /// Returns the next record without advancing.
  mutating func peek() throws -> Element? {
    guard let next = try next() else { return nil }
    position -= 1
    return next
  }

  private mutating func fill() throws {
    batch.removeAll(keepingCapacity: true)
    position = 0
    let cursor = try transaction.cursor(database)
    var found: Bool
    if let last {
      found = try last.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
      if found, cursor.key.elementsEqual(last) { found = try cursor.next() }
    } else {
      found = try cursor.first()
    }
    var bytes = 0
    while found, batch.count < Self.largestBatch, bytes < Self.largestBytes {
      let key = [UInt8](cursor.key)
      if let end, end.lexicographicallyPrecedes(key) { break }
      bytes += key.count + cursor.value.count
      batch.append((key, [UInt8](cursor.value)))
      last = key
      found = try cursor.next()
    }
  }
}
