/// An object's own copy of the record it was read from: the source of its unresolved links and collections at
/// their first use.
final class RecordCopy {
  let bytes: [UInt8]
  let binding: ObjectBinding
  /// The stamp of the stored record that the object is known to have had last; see ``ObjectBase/_stamp``.
  let stamp: UInt
  /// The hashes of the large collections that were read for the object.
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

  /// The same record, for an object that has another stamp by now, of which no collection was read.
  func stamped(_ stamp: UInt) -> RecordCopy { RecordCopy(self, stamp, []) }

  /// The same record, for an object for which a collection was read.
  func noting(_ read: ReadContents) -> RecordCopy {
    RecordCopy(self, stamp, contents.filter { $0.column != read.column } + [read])
  }

  /// The payload of a property in the type that its column has now; nil where it is nil.
  func withCurrentPayload(ofPropertyAt offset: Int, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
    guard let id = binding.columnID(ofPropertyAt: offset), let column = binding.table.entry.column(id) else {
      return
    }
    try bytes.withUnsafeBytes { try binding.table.payload(of: column, in: try binding.table.view($0), body) }
  }

  /// The payload of a column; nil where it is nil or missing. Damage was found by the checksum, before the
  /// record was copied.
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
