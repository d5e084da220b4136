import LMDB

/// Values of columns that are in an object's key and not in its record.
extension Table {
  /// The payload of a column of an object, wherever it is: in the record, in the key, or the default.
  ///
  /// - Parameter key: the object's key; nil for an embedded one.
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

  /// The place of a column in the primary key, or in the one before.
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
    // The columns of the key before may have been secret, or not have been.
    let isSet = try appendKeyPayload(
      from: &decoder,
      of: lookupKey[part],
      kind: column.type.kind,
      to: &writer
    )
    return isSet ? writer.bytes : nil
  }

  /// Whether the value of a column is in no record of an object's layout and not in its key, so that only
  /// a default is left.
  func lacks(_ column: ColumnEntry, in view: RecordView) -> Bool {
    view.layout.place(ofColumn: column.id) == nil && keyPart(of: column) == nil
  }

  /// The columns that a primary key given by a caller has to have values for.
  var lookupKey: [ColumnEntry] { formerKey.isEmpty ? primaryKey : formerKey }

  /// The key that an object has while the primary key is changing.
  ///
  /// It begins with an element that no primary key has, so that neither is the beginning of the other: what belongs to a key is
  /// found by its prefix. It has two elements more than any other key, so that it is not taken for one with the same columns.
  static func provisionalKey(_ number: Int64, parts: Int) -> [UInt8] {
    var encoder = KeyEncoder()
    encoder.append(true)
    for _ in 0..<parts { encoder.appendNull() }
    encoder.append(number)
    return encoder.bytes
  }

  /// Whether a key is a provisional one, which has no values of columns.
  private static func isProvisional(_ key: UnsafeRawBufferPointer) -> Bool { key.first == provisionalTag }

  private static let provisionalTag = provisionalKey(0, parts: 0).first
}
