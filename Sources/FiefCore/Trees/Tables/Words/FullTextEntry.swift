import LMDB

/// The entries of full-text indexes in their trees.
///
/// The key of a word's entry is the word, encoded as a text in a key, followed by the object key. The value
/// has two counts: the occurrences of the word in the object's texts, and the number of words in these texts.
/// If the object key was shortened, the whole object key follows.
///
/// One more entry has the null element as its key. Its value has two sums of 8 bytes each: the number of
/// objects with words, and the total number of words. The entry is missing if both are 0.
package enum FullTextEntry {
  /// The key of the entry with the sums.
  static let totalsKey: [UInt8] = [0]

  /// Appends the first element of the keys of a word's entries.
  package static func append(_ word: UnsafeRawBufferPointer, to writer: inout ValueWriter) {
    writer.appendInteger(UInt8(0x02))
    // Words contain no control characters, so no byte has to be escaped.
    writer.append(word)
    writer.appendInteger(UInt8(0))
  }

  /// Returns the prefix of the entries of a word, or of all words with a prefix.
  static func prefix(of term: FullTextQuery.Term) -> [UInt8] {
    [0x02] + term.bytes + (term.isPrefix ? [] : [0])
  }

  /// Returns the number of the word's occurrences, the number of words, and the whole object key if it was
  /// shortened.
  static func read(_ value: UnsafeRawBufferPointer) throws(FiefError) -> (
    count: Int, length: Int, key: UnsafeRawBufferPointer
  ) {
    var reader = ValueReader(value, context: nil)
    let count = try reader.count()
    let length = try reader.count()
    // A text is shorter than 4 GiB. Entries have no checksum, and sums of larger numbers could overflow.
    guard count <= UInt32.max, length <= UInt32.max else { throw RecordView.damaged }
    return (count, length, reader.remaining())
  }

  /// Returns the sums of an index.
  package static func totals(of database: Database, in transaction: LMDB.Transaction) throws -> (
    texts: Int, words: Int
  ) {
    try totalsKey.withUnsafeBytes { key in
      guard let value = try transaction.get(database, key) else { return (0, 0) }
      guard value.count == 16 else {
        throw FiefError(.damagedStore, "The sums of a full-text index are damaged.")
      }
      let texts = Int64(littleEndian: value.loadUnaligned(as: Int64.self))
      let words = Int64(littleEndian: value.loadUnaligned(fromByteOffset: 8, as: Int64.self))
      return (Int(texts), Int(words))
    }
  }

  /// Adds to the sums of an index.
  static func add(texts: Int, words: Int, to database: Database, in transaction: LMDB.WritableTransaction)
    throws
  {
    if texts == 0, words == 0 { return }
    let before = try totals(of: database, in: transaction)
    let (texts, words) = (before.texts &+ texts, before.words &+ words)
    try totalsKey.withUnsafeBytes { key in
      if texts == 0, words == 0 {
        _ = try transaction.delete(database, key)
        return
      }
      var writer = ValueWriter()
      writer.appendInteger(Int64(texts))
      writer.appendInteger(Int64(words))
      try writer.bytes.withUnsafeBytes { try transaction.put(database, key, $0) }
    }
  }
}
