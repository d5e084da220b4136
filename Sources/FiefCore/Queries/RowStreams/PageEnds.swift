import LMDB

/// The first and the last position of a page, as bytes. A cursor is created only when it is requested.
// SAFETY: only the thread that reads the page writes the instance. Other threads read it after the page was
// read.
final class PageEnds: @unchecked Sendable {
  private let fingerprint: UInt64
  private let hasPlaces: Bool
  /// The first position, followed by the last position. While the last position is unknown, its slot contains
  /// the identity of the row that may be the last.
  // Only methods use these properties, and each access ends before the next begins, so accesses cannot
  // overlap.
  @exclusivity(unchecked) private var places = ValueWriter(reserving: 128)
  @exclusivity(unchecked) private var endOfFirst = 0
  private var hasEnd = false

  /// - Parameter hasPlaces: whether a row is identified by its position in a collection and its key.
  init(_ fingerprint: UInt64, hasPlaces: Bool) {
    self.fingerprint = fingerprint
    self.hasPlaces = hasPlaces
  }

  /// Sets the first row of the page.
  func begin(at row: QueryRow, _ order: RowOrder, in environment: QueryEnvironment) throws {
    try append(row, order, in: environment)
    endOfFirst = places.count
  }

  /// Sets the last row of the page.
  func end(at row: QueryRow, _ order: RowOrder, in environment: QueryEnvironment) throws {
    places.truncate(to: endOfFirst)
    try append(row, order, in: environment)
    hasEnd = true
  }

  /// Keeps a row as the last row of the page in case no further row follows.
  @inline(__always)
  func keep(_ row: QueryRow, in environment: QueryEnvironment) {
    places.truncate(to: endOfFirst)
    if hasPlaces { keepPlace(of: row, in: environment) } else { places.append(row.key) }
  }

  @inline(never)
  private func keepPlace(of row: QueryRow, in environment: QueryEnvironment) {
    environment.withIdentity(of: row, hasPlaces: true) { places.append($0) }
  }

  /// If a row was kept, makes it the last row of the page.
  func endAtKeptRow(of table: Table, _ order: RowOrder, in environment: QueryEnvironment) throws {
    guard places.count > endOfFirst, let records = table.records else { return }
    let identity = places.withBytes { [UInt8]($0[endOfFirst...]) }
    try identity.withUnsafeBytes { identity in
      try environment.withKey(of: identity, hasPlaces: hasPlaces) { key in
        guard let row = try environment.row(of: table, records, key: key, if: nil) else { return }
        try end(at: row, order, in: environment)
      }
    }
  }

  /// The position of the first object, or `nil` if the page is empty.
  var start: QueryCursor? { endOfFirst > 0 ? cursor(at: 0) : nil }

  /// The position of the last object, or `nil` if the page is empty.
  var end: QueryCursor? { hasEnd ? cursor(at: endOfFirst) : nil }

  private func append(_ row: QueryRow, _ order: RowOrder, in environment: QueryEnvironment) throws {
    try order.appendValues(of: row, in: environment, to: &places)
    environment.withIdentity(of: row, hasPlaces: hasPlaces) { QueryCursor.append($0, to: &places) }
  }

  private func cursor(at offset: Int) -> QueryCursor? {
    places.withBytes { bytes in
      var reader = ValueReader(UnsafeRawBufferPointer(rebasing: bytes[offset...]), context: nil)
      // Decoding cannot fail, because this type has written the bytes.
      return try? QueryCursor(fingerprint: fingerprint, place: &reader)
    }
  }
}
