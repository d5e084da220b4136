/// An object's copy of the record from which it was read. Its links and collections are read lazily from this
/// copy.
final class RecordCopy {
  let bytes: [UInt8]
  let binding: ObjectBinding
  /// The stamp of the last stored record that the object is known to match; see ``ObjectBase/_stamp``.
  let stamp: UInt
  /// The hashes of the large collections that were read through the object.
  let contents: [ReadContents]

  init(_ buffer: UnsafeRawBufferPointer, binding: ObjectBinding, stamp: UInt = 0) {
    self.bytes = [UInt8](buffer)
    self.binding = binding
    self.stamp = stamp
    contents = []
  }

  private init(_ other: RecordCopy, _ stamp: UInt, _ contents: [ReadContents]) {
    bytes = other.bytes
    binding = other.binding
    self.stamp = stamp
    self.contents = contents
  }

  /// Returns the same record with another stamp and without hashes of collections.
  func stamped(_ stamp: UInt) -> RecordCopy { RecordCopy(self, stamp, []) }

  /// Returns the same record with the hash of a collection that was read.
  func noting(_ read: ReadContents) -> RecordCopy {
    RecordCopy(self, stamp, contents.filter { $0.column != read.column } + [read])
  }

  /// Calls `body` with the payload of a property in the current type of its column, or with `nil` if the
  /// value is nil.
  func withCurrentPayload(ofPropertyAt offset: Int, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
    guard let id = binding.columnID(ofPropertyAt: offset), let column = binding.table.entry.column(id) else {
      return
    }
    try bytes.withUnsafeBytes { try binding.table.payload(of: column, in: try binding.table.view($0), body) }
  }

  /// Calls `body` with the payload of a column. Returns `nil` if the value is nil or missing. The checksum
  /// was verified before the record was copied.
  func withPayload<Result>(
    ofColumn id: UInt16,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    try bytes.withUnsafeBytes { buffer in
      guard let view = try? binding.table.view(buffer), let place = view.layout.place(ofColumn: id),
        place.form != .varying || (try? view.varying(place)) != nil
      else { return nil }
      return try view.withPayload(place) { payload in try payload.map { try body($0) } }
    }
  }
}
