import LMDB

/// Reads values of columns that are stored in an object's key instead of its record.
extension Table {
  /// Passes the payload of a column to `body`. It comes from the record, from the key, or from the column's
  /// default.
  ///
  /// - Parameter key: The object's key, or `nil` for an embedded object.
  package func payload(
    of column: ColumnEntry,
    in view: RecordView,
    key: UnsafeRawBufferPointer?,
    _ body: (UnsafeRawBufferPointer?) throws -> Void
  ) throws {
    guard let key, let part = keyPart(of: column), view.layout.place(ofColumn: column.id) == nil else {
      return try payload(of: column, in: view, body)
    }
    guard let payload = try keyPayload(part, column, key) else { return try body(nil) }
    try payload.withUnsafeBytes { try body($0) }
  }

  /// Returns the index of a column in the primary key, or in the former primary key during a migration that
  /// changes it.
  private func keyPart(of column: ColumnEntry) -> Int? {
    (formerKey.isEmpty ? primaryKey : formerKey).firstIndex { $0.id == column.id }
  }

  private func keyPayload(_ part: Int, _ column: ColumnEntry, _ key: UnsafeRawBufferPointer) throws
    -> [UInt8]?
  {
    if Self.isProvisional(key) { return nil }
    var decoder = KeyDecoder(key)
    for _ in 0..<part { try decoder.skip() }
    var writer = ValueWriter()
    // A column of the former key may be secret although the new column is not, and vice versa.
    let isSet = try appendKeyPayload(
      from: &decoder,
      of: lookupKey[part],
      kind: column.type.kind,
      to: &writer
    )
    return isSet ? writer.bytes : nil
  }

  /// Whether neither the record nor the key of an object contains the column, so that only a default remains.
  func lacks(_ column: ColumnEntry, in view: RecordView) -> Bool {
    view.layout.place(ofColumn: column.id) == nil && keyPart(of: column) == nil
  }

  /// The columns whose values a caller must provide to look up an object by its primary key.
  var lookupKey: [ColumnEntry] { formerKey.isEmpty ? primaryKey : formerKey }

  /// Returns the temporary key of an object while its primary key changes.
  ///
  /// It begins with an element that no primary key begins with, so neither key is a prefix of the other.
  /// Otherwise a search for the entries of one key by prefix would find entries of the other. It has two more
  /// elements than any other key, so it cannot be mistaken for a key with the same columns.
  static func provisionalKey(_ number: Int64, parts: Int) -> [UInt8] {
    var encoder = KeyEncoder()
    encoder.append(true)
    for _ in 0..<parts { encoder.appendNull() }
    encoder.append(number)
    return encoder.bytes
  }

  /// Whether a key is a provisional key, which contains no values of columns.
  private static func isProvisional(_ key: UnsafeRawBufferPointer) -> Bool { key.first == provisionalTag }

  private static let provisionalTag = provisionalKey(0, parts: 0).first
}
