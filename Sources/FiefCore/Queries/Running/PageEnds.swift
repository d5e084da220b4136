import LMDB

/// The first and the last place of a page, as bytes: a cursor is made when it is asked for.
// SAFETY: it is written while its page is read, on one thread, and only read once that has it.
final class PageEnds: @unchecked Sendable {
  private let fingerprint: UInt64
  private let hasPlaces: Bool
  /// The first place, and behind it the last one; before that is known, the identity of the row that may be it.
  // Only methods use these properties, and each ends before the next one begins: no access can overlap.
  @exclusivity(unchecked) private var places = ValueWriter(reserving: 128)
  @exclusivity(unchecked) private var endOfFirst = 0
  private var hasEnd = false

  /// - Parameter hasPlaces: whether a row is known by its place in a collection and its key.
  init(_ fingerprint: UInt64, hasPlaces: Bool) {
    self.fingerprint = fingerprint
    self.hasPlaces = hasPlaces
  }

  /// The page begins with a row.
  func begin(at row: QueryRow, _ order: RowOrder, in environment: QueryEnvironment) throws {
    try append(row, order, in: environment)
    endOfFirst = places.count
  }

  /// The page ends with a row.
  func end(at row: QueryRow, _ order: RowOrder, in environment: QueryEnvironment) throws {
    places.truncate(to: endOfFirst)
    try append(row, order, in: environment)
    hasEnd = true
  }

  /// The page ends with a row if no other one follows.
  @inline(__always)
  func keep(_ row: QueryRow, in environment: QueryEnvironment) {
    places.truncate(to: endOfFirst)
    if hasPlaces { keepPlace(of: row, in: environment) } else { places.append(row.key) }
  }

  @inline(never)
  private func keepPlace(of row: QueryRow, in environment: QueryEnvironment) {
    environment.withIdentity(of: row, hasPlaces: true) { places.append($0) }
  }

  /// The page ends with the row that was kept, if there is one.
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

  /// The place of the first object; nil on an empty page.
  var start: QueryCursor? { endOfFirst > 0 ? cursor(at: 0) : nil }

  /// The place of the last object; nil on an empty page.
  var end: QueryCursor? { hasEnd ? cursor(at: endOfFirst) : nil }

  private func append(_ row: QueryRow, _ order: RowOrder, in environment: QueryEnvironment) throws {
    try order.appendValues(of: row, in: environment, to: &places)
    environment.withIdentity(of: row, hasPlaces: hasPlaces) { QueryCursor.append($0, to: &places) }
  }

  private func cursor(at offset: Int) -> QueryCursor? {
    places.withBytes { bytes in
      var reader = ValueReader(UnsafeRawBufferPointer(rebasing: bytes[offset...]), context: nil)
      // A cursor that was just written can be read.
      return try? QueryCursor(fingerprint: fingerprint, place: &reader)
    }
  }
}
