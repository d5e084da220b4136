import LMDB

/// The first and the last place of a page, as bytes: a cursor is made where somebody asks for one.
// SAFETY: it is written while its page is read, on one thread, and only read once that has it.
final class PageEnds: @unchecked Sendable {
  private let fingerprint: UInt64
  private let hasPlaces: Bool
  /// The first place, and behind it the last one; before that is known, what the row that may be it is known by.
  // Only methods use these, which end before the next one begins: no access can overlap.
  @exclusivity(unchecked) private var places = ValueWriter(reserving: 128)
  @exclusivity(unchecked) private var endOfFirst = 0
  private var hasEnd = false

  /// - Parameter hasPlaces: whether a row is known by its place in a collection and its key.
  init(_ fingerprint: UInt64, hasPlaces: Bool) {
    self.fingerprint = fingerprint
    self.hasPlaces = hasPlaces
  }

  /// The page begins with a row.
  func begin(at row: QueryRow, of query: PreparedQuery, in environment: QueryEnvironment) throws {
    try append(row, of: query, in: environment)
    endOfFirst = places.count
  }

  /// The page ends with a row.
  func end(at row: QueryRow, of query: PreparedQuery, in environment: QueryEnvironment) throws {
    places.truncate(to: endOfFirst)
    try append(row, of: query, in: environment)
    hasEnd = true
  }

  /// The page ends with a row if no other one follows.
  @inline(__always)
  func keep(_ row: QueryRow) {
    places.truncate(to: endOfFirst)
    places.append(row.key)
  }

  /// As ``keep(_:)``, for a row that is known by its place too.
  @inline(never)
  func keepPlace(of row: QueryRow, in environment: QueryEnvironment) {
    places.truncate(to: endOfFirst)
    environment.withIdentity(of: row, hasPlaces: true) { places.append($0) }
  }

  /// The page ends with the row that was kept, if there is one.
  func endAtKeptRow(of query: PreparedQuery, in environment: QueryEnvironment) throws {
    guard places.count > endOfFirst, let records = query.table.records else { return }
    let identity = places.withBytes { [UInt8]($0[endOfFirst...]) }
    try identity.withUnsafeBytes { identity in
      try query.withKey(of: identity, in: environment) { key in
        guard let row = try environment.row(of: query.table, records, key: key, if: nil) else { return }
        try end(at: row, of: query, in: environment)
      }
    }
  }

  /// The place of the first object; nil on an empty page.
  var start: QueryCursor? { endOfFirst > 0 ? cursor(at: 0) : nil }

  /// The place of the last object; nil on an empty page.
  var end: QueryCursor? { hasEnd ? cursor(at: endOfFirst) : nil }

  private func append(_ row: QueryRow, of query: PreparedQuery, in environment: QueryEnvironment) throws {
    try query.order.appendValues(of: row, in: environment, to: &places)
    environment.withIdentity(of: row, hasPlaces: hasPlaces) { QueryCursor.append($0, to: &places) }
  }

  private func cursor(at offset: Int) -> QueryCursor? {
    places.withBytes { bytes in
      var reader = ValueReader(UnsafeRawBufferPointer(rebasing: bytes[offset...]), context: nil)
      // What was just written can be read.
      return try? QueryCursor(fingerprint: fingerprint, place: &reader)
    }
  }
}
