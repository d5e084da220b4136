import LMDB

/// The objects whose texts contain a word, or any word with a prefix, in the order of their keys.
///
/// Keys are shortened as in index entries. Postings belong to one transaction and its thread. Do not write
/// while they are used.
class Postings {
  /// The current key in its shortened form; empty before the first move.
  fileprivate(set) var second: [UInt8] = []
  /// The number of occurrences of the word in the object's texts.
  fileprivate(set) var count = 0
  /// The total number of words in the object's texts.
  fileprivate(set) var length = 0
  /// The object's whole key.
  fileprivate(set) var objectKey: [UInt8] = []

  fileprivate init() {}

  /// Moves forward to the first object whose key is not less than `wanted`, and returns whether such an
  /// object exists.
  func move(atOrAfter wanted: [UInt8]) throws -> Bool { false }

  static func make(
    _ term: FullTextQuery.Term,
    in database: Database,
    _ transaction: LMDB.Transaction
  ) throws -> Postings {
    let prefix = FullTextEntry.prefix(of: term)
    return term.isPrefix
      ? PrefixPostings(prefix, database, transaction) : try WordPostings(prefix, database, transaction)
  }
}

/// The postings of one word, in the order of the tree.
private final class WordPostings: Postings {
  private let prefix: [UInt8]
  private let cursor: Cursor
  private var isAtEntry = false

  init(_ prefix: [UInt8], _ database: Database, _ transaction: LMDB.Transaction) throws {
    self.prefix = prefix
    cursor = try transaction.cursor(database)
  }

  override func move(atOrAfter wanted: [UInt8]) throws -> Bool {
    if isAtEntry {
      if !second.lexicographicallyPrecedes(wanted) { return true }
      // Usually the next entry is already the wanted one.
      guard try cursor.next() else { return false }
      guard try read() else { return false }
      if !second.lexicographicallyPrecedes(wanted) { return true }
    }
    guard try (prefix + wanted).withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) else { return false }
    return try read()
  }

  private func read() throws -> Bool {
    isAtEntry = cursor.key.starts(with: prefix)
    guard isAtEntry else { return false }
    second = [UInt8](cursor.key[prefix.count...])
    let (count, length, key) = try FullTextEntry.read(cursor.value)
    (self.count, self.length) = (count, length)
    objectKey = key.isEmpty ? second : [UInt8](key)
    return true
  }
}

/// The size of the batches in which the postings of a prefix are sorted. Tests reduce it.
enum PostingBatch {
  @TaskLocal static var most = 1 << 17
}

/// The postings of all words with a prefix. Each object appears once, with the sum of its counts.
///
/// The entries of several words are not in the order of the object keys. The postings therefore gather and
/// sort the lowest keys in batches, and read all entries again for each batch.
private final class PrefixPostings: Postings {
  private let most = PostingBatch.most

  private struct Posting {
    var second: [UInt8]
    var count: Int
    var length: Int
    var objectKey: [UInt8]
  }

  private let prefix: [UInt8]
  private let database: Database
  private let transaction: LMDB.Transaction
  private var batch: [Posting] = []
  private var position = 0
  private var hasBegun = false
  /// Whether more objects follow after the batch.
  private var hasMore = true

  init(_ prefix: [UInt8], _ database: Database, _ transaction: LMDB.Transaction) {
    self.prefix = prefix
    self.database = database
    self.transaction = transaction
  }

  override func move(atOrAfter wanted: [UInt8]) throws -> Bool {
    while true {
      while position < batch.count {
        if !batch[position].second.lexicographicallyPrecedes(wanted) {
          let found = batch[position]
          (second, count, length, objectKey) = (found.second, found.count, found.length, found.objectKey)
          return true
        }
        position += 1
      }
      guard hasMore else { return false }
      // The wanted key is after the last key of the batch.
      try gather(atOrAfter: wanted, after: hasBegun ? batch.last?.second : nil)
    }
  }

  private func gather(atOrAfter wanted: [UInt8], after last: [UInt8]?) throws {
    batch.removeAll(keepingCapacity: true)
    (position, hasBegun, hasMore) = (0, true, false)
    var bound: [UInt8]?
    let cursor = try transaction.cursor(database)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      let key = cursor.key
      if let end = key[prefix.count...].firstIndex(of: 0) {
        let second = UnsafeRawBufferPointer(rebasing: key[(end + 1)...])
        let isWanted =
          !second.lexicographicallyPrecedes(wanted)
          && last.map { $0.lexicographicallyPrecedes(second) } ?? true
        if isWanted {
          if let bound, bound.lexicographicallyPrecedes(second) {
            hasMore = true
          } else {
            let (count, length, whole) = try FullTextEntry.read(cursor.value)
            let own = [UInt8](second)
            batch.append(
              Posting(
                second: own,
                count: count,
                length: length,
                objectKey: whole.isEmpty ? own : [UInt8](whole)
              )
            )
            if batch.count == most * 2, merge(to: most) {
              hasMore = true
              bound = batch.last?.second
            }
          }
        }
      }
      found = try cursor.next()
    }
    if merge(to: most) { hasMore = true }
  }

  /// Sorts the batch, merges the entries of each object, and truncates the batch to `limit`. Returns whether
  /// truncation removed entries.
  private func merge(to limit: Int) -> Bool {
    batch.sort { $0.second.lexicographicallyPrecedes($1.second) }
    var kept = -1
    for index in batch.indices {
      if kept >= 0, batch[kept].second == batch[index].second {
        batch[kept].count += batch[index].count
      } else {
        kept += 1
        if kept < index { batch[kept] = batch[index] }
      }
    }
    batch.removeSubrange((kept + 1)...)
    guard batch.count > limit else { return false }
    batch.removeSubrange(limit...)
    return true
  }
}
