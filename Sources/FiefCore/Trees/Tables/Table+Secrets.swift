import LMDB

/// Encodes and decodes object keys with secret columns.
extension Table {
  /// Whether the primary key has secret columns.
  var hasSecretKey: Bool { secrets != nil && lookupKey.contains(where: \.isSecret) }

  /// Appends the element for a column of the primary key to an object key.
  func appendKeyElement(
    _ payload: UnsafeRawBufferPointer?,
    of column: ColumnEntry,
    to encoder: inout KeyEncoder
  ) throws(FiefError) {
    let start = encoder.bytes.count
    try KeyCoding.append(payload, kind: column.type.kind, to: &encoder)
    try seal(column, at: start, of: &encoder)
  }

  /// Seals the element at the end of an object key if its column is secret.
  func seal(_ column: ColumnEntry, at start: Int, of encoder: inout KeyEncoder) throws(FiefError) {
    guard column.isSecret else { return }
    guard let secrets else { throw noKey }
    secrets.seal(column.id, at: start, of: &encoder)
  }

  /// Appends the payload that an object key's next element represents to `writer`. Returns `false` for a nil
  /// value.
  ///
  /// - Parameters:
  ///   - column: The column of the primary key.
  ///   - kind: The kind as which a migration decodes the element, if it differs from the column's kind.
  package func appendKeyPayload(
    from decoder: inout KeyDecoder,
    of column: ColumnEntry,
    kind: ColumnType.Kind? = nil,
    to writer: inout ValueWriter
  ) throws(FiefError) -> Bool {
    let kind = kind ?? column.type.kind
    guard column.isSecret else {
      return try KeyCoding.appendPayload(from: &decoder, kind: kind, to: &writer)
    }
    guard let secrets else { throw noKey }
    return try Self.appendPayload(of: try secrets.open(column.id, from: &decoder), kind, to: &writer)
  }

  private static func appendPayload(
    of element: [UInt8],
    _ kind: ColumnType.Kind,
    to writer: inout ValueWriter
  ) throws(FiefError) -> Bool {
    var isSet = false
    var failure: FiefError?
    element.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      do throws(FiefError) {
        isSet = try KeyCoding.appendPayload(from: &decoder, kind: kind, to: &writer)
        if !decoder.isAtEnd { failure = RecordView.damaged }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return isSet
  }

  /// Returns the key as it is stored. The secret parts of `key` may be in clear if it comes from an object or
  /// a reference.
  package func stored(_ key: [UInt8]) throws -> [UInt8] {
    guard hasSecretKey else { return key }
    return try withElements(of: key) { column, element, encoder in
      let start = encoder.bytes.count
      encoder.append(raw: element)
      // Primary keys cannot contain data, so an element of data is always a sealed element.
      if !Self.isSealed(element) { try seal(column, at: start, of: &encoder) }
    }
  }

  /// Returns the key with its secret parts in clear, as errors and detached objects use it.
  func cleared(_ key: [UInt8]) throws -> [UInt8] {
    guard hasSecretKey else { return key }
    return try withElements(of: key) { column, element, encoder in
      guard column.isSecret, let secrets, Self.isSealed(element) else { return encoder.append(raw: element) }
      var decoder = KeyDecoder(element)
      encoder.append(raw: try secrets.open(column.id, from: &decoder))
    }
  }

  /// Returns the key in clear for an error, or the key itself if it cannot be opened.
  package func shown(_ key: [UInt8]) -> [UInt8] { (try? cleared(key)) ?? key }

  /// Returns the key as text for an error.
  package func text(ofKey key: [UInt8]) -> String { ObjectKey(bytes: shown(key)).description }

  private static func isSealed(_ element: UnsafeRawBufferPointer) -> Bool {
    element.first == sealedTag
  }

  private static let sealedTag: UInt8? = {
    var encoder = KeyEncoder()
    encoder.append(bytes: [])
    return encoder.bytes.first
  }()

  /// Returns a key with transformed elements. Returns `key` unchanged if its elements do not match the
  /// primary key.
  private func withElements(
    of key: [UInt8],
    _ body: (ColumnEntry, UnsafeRawBufferPointer, inout KeyEncoder) throws -> Void
  ) throws -> [UInt8] {
    try key.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      var encoder = KeyEncoder()
      for column in lookupKey {
        let rest = decoder.remaining
        do { try decoder.skip() } catch { return key }
        let element = UnsafeRawBufferPointer(rebasing: rest[..<(rest.count - decoder.remaining.count)])
        try body(column, element, &encoder)
      }
      return decoder.isAtEnd ? encoder.bytes : key
    }
  }

  private var noKey: FiefError {
    FiefError(.damagedStore, "A type has secret columns, but the store is not encrypted.", type: name)
  }
}
