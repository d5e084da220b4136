import LMDB

/// Maintains a full-text index: one entry for each word of an object's texts, and one entry with the sums of
/// all texts.
final class FullTextMaintainer: IndexMaintainer {
  static var adjective: String { "full-text" }
  static var dependsOnUnicode: Bool { true }

  static func objection(to type: ColumnType) -> String? {
    type.kind == .string ? nil : "\(type) cannot have a full-text index, which needs text"
  }

  static var objectionToSecrets: String? {
    "a secret property cannot have a full-text index, which would contain its words unencrypted"
  }

  static func candidates(
    for request: any IndexRequest,
    of index: Table.Index
  ) -> (any IndexCandidates)? {
    (request as? FullTextQuery).map { FullTextCandidates(query: $0, index: index) }
  }

  private let index: Table.Index
  private let table: Table
  private var before = WordList()
  private var after = WordList()
  /// The change of the number of objects with words since the sums were last written; in a check, the number
  /// of objects counted so far.
  private var texts = 0
  /// The change of the total number of words, or in a check the number of words counted so far.
  private var words = 0

  init(_ index: Table.Index, of table: Table) {
    self.index = index
    self.table = table
  }

  // MARK: Writing

  func update(old: RecordView?, new: RecordView?, key: UnsafeRawBufferPointer, in buffer: TreeBuffer) throws {
    guard let old else {
      if let new { try addAll(of: new, key: key, to: buffer) }
      return
    }
    try before.gather(index, of: table, in: old, key: key)
    guard let new else {
      count(before, sign: -1)
      let length = before.count
      before.forEach { Self.note($0, count: $1, of: length, objectKey: key, isAdded: false, in: buffer) }
      return
    }
    try after.gather(index, of: table, in: new, key: key)
    count(before, sign: -1)
    count(after, sign: 1)
    noteDifference(key: key, in: buffer)
  }

  private func addAll(of record: RecordView, key: UnsafeRawBufferPointer, to buffer: TreeBuffer) throws {
    try after.gather(index, of: table, in: record, key: key)
    count(after, sign: 1)
    let length = after.count
    after.forEach { Self.note($0, count: $1, of: length, objectKey: key, isAdded: true, in: buffer) }
  }

  private func noteDifference(key: UnsafeRawBufferPointer, in buffer: TreeBuffer) {
    let (before, after) = (before, after)
    // Every entry contains the number of words of the text, so all entries change if this number changes.
    let isSameLength = before.count == after.count
    before.forEach { word, count in
      guard let now = after.count(of: word) else {
        return Self.note(word, count: count, of: before.count, objectKey: key, isAdded: false, in: buffer)
      }
      if isSameLength, now == count { return }
      Self.note(word, count: now, of: after.count, objectKey: key, isAdded: true, in: buffer)
    }
    after.forEach { word, count in
      if before.count(of: word) == nil {
        Self.note(word, count: count, of: after.count, objectKey: key, isAdded: true, in: buffer)
      }
    }
  }

  /// Adds the words of an object to the sums, or subtracts them.
  private func count(_ list: WordList, sign: Int) {
    if list.count == 0 { return }
    texts += sign
    words += sign * list.count
  }

  private static func note(
    _ word: UnsafeRawBufferPointer,
    count: Int,
    of length: Int,
    objectKey: UnsafeRawBufferPointer,
    isAdded: Bool,
    in buffer: TreeBuffer
  ) {
    buffer.noteEntry(objectKey: objectKey, isAdded: isAdded) {
      FullTextEntry.append(word, to: &$0)
    } value: {
      $0.appendCount(count)
      $0.appendCount(length)
    }
  }

  func finish(in transaction: LMDB.WritableTransaction) throws {
    if texts == 0, words == 0 { return }
    try FullTextEntry.add(texts: texts, words: words, to: index.database, in: transaction)
    (texts, words) = (0, 0)
  }

  // MARK: Checking

  func check(
    _ record: RecordView,
    key: UnsafeRawBufferPointer,
    in transaction: LMDB.Transaction
  ) throws -> IndexFindings {
    try after.gather(index, of: table, in: record, key: key)
    let length = after.count
    var count = 0
    var missing = 0
    let second = CompositeKey.second([UInt8](key))
    try after.forEach { word, frequency in
      count += 1
      var entry = ValueWriter()
      FullTextEntry.append(word, to: &entry)
      entry.append(second)
      var value = ValueWriter()
      value.appendCount(frequency)
      value.appendCount(length)
      if second.count < key.count || !second.elementsEqual(key) { value.append(key) }
      let found = try entry.bytes.withUnsafeBytes { try transaction.get(index.database, $0) }
      if found?.elementsEqual(value.bytes) != true { missing += 1 }
    }
    self.count(after, sign: 1)
    let problem = "the full-text index of \(index.columnNames) lacks \(missing) of the object's words"
    return IndexFindings(entries: count, problem: missing > 0 ? problem : nil)
  }

  func finishCheck(in transaction: LMDB.Transaction) throws -> IndexFindings {
    let found = try FullTextEntry.totals(of: index.database, in: transaction)
    var findings = IndexFindings(entries: texts > 0 ? 1 : 0)
    if found != (texts, words) {
      findings.problem =
        "the full-text index of \(index.columnNames) states \(found.texts) texts with \(found.words) words,"
        + " but the records have \(texts) with \(words)"
    }
    return findings
  }
}
