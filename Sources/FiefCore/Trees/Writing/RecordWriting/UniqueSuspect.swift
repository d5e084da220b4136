import LMDB

/// An entry of a unique index whose values another object also had when the entry was written.
///
/// It is checked at the end of the write: the two objects may have exchanged their values, or the other
/// object may have been deleted.
struct UniqueSuspect {
  let table: Table
  let index: Table.Index
  /// The key of the entry.
  let entry: [UInt8]
  /// The number of bytes of the key that belong to the values.
  let firstCount: Int
  let objectKey: [UInt8]
}

extension RecordWriter {
  /// Returns the error for an entry of a unique index, or `nil` if no other object has the same values.
  func duplicate(_ suspect: UniqueSuspect) throws -> FiefError? {
    let database = suspect.index.database
    let cursor = try transaction.cursor(database)
    guard try suspect.entry.withUnsafeBytes({ try cursor.seek(exactly: $0) }) else { return nil }
    let first = Array(suspect.entry.prefix(suspect.firstCount))
    var found = try first.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: first) {
      let other = CompositeKey.objectKey(key: cursor.key, value: cursor.value, prefixCount: first.count)
      if !cursor.key.elementsEqual(suspect.entry), try haveSameValues(suspect, other.bytes) {
        return try error(for: suspect, other: other)
      }
      found = try cursor.next()
    }
    return nil
  }

  /// Whether two objects have the same values. Long values are shortened in entries and may have the same
  /// hash, so the records decide.
  private func haveSameValues(_ suspect: UniqueSuspect, _ other: [UInt8]) throws -> Bool {
    guard suspect.firstCount >= CompositeKey.firstLimit - 1 else { return true }
    return try values(of: suspect.objectKey, suspect) == values(of: other, suspect)
  }

  private func values(of key: [UInt8], _ suspect: UniqueSuspect) throws -> [UInt8] {
    var writer = ValueWriter()
    try withRecord(key, suspect.table) { view, key in
      _ = try IndexElement.append(suspect.index, of: suspect.table, in: view, key: key, to: &writer)
    }
    return writer.bytes
  }

  private func withRecord(
    _ key: [UInt8],
    _ table: Table,
    _ body: (RecordView, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let records = try records(of: table)
    try key.withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return }
      try body(try table.view(record), key)
    }
  }

  private func error(for suspect: UniqueSuspect, other: ObjectKey) throws -> FiefError {
    FiefError(
      .duplicateValue,
      "Another object has the same value, but the index is unique.",
      store: tables.storeName,
      type: suspect.table.name,
      property: suspect.index.columnNames,
      key: suspect.table.text(ofKey: suspect.objectKey),
      details: [
        "the other object: " + HiddenValue.text(suspect.table.text(ofKey: other.bytes)),
        "the value: " + HiddenValue.text(try text(of: suspect)),
      ]
    )
  }

  /// Returns the values as text for an error.
  private func text(of suspect: UniqueSuspect) throws -> String {
    var parts: [String] = []
    try withRecord(suspect.objectKey, suspect.table) { view, key in
      for column in suspect.index.columns {
        try suspect.table.payload(of: column, in: view, key: key) { payload in
          if let payload, column.type.kind == .link, let target = column.type.target.flatMap({ tables[$0] }) {
            parts.append(target.text(ofKey: [UInt8](payload)))
          } else {
            parts.append(try KeyCoding.text(ofPayload: payload, kind: column.type.kind))
          }
        }
      }
    }
    let text = parts.joined(separator: ", ")
    return text.count > 200 ? text.prefix(200) + "…" : text
  }
}
