/// An object's own copy of the record it was read from: the source of its unresolved links and collections at
/// their first use.
final class RecordCopy {
  let bytes: [UInt8]
  let binding: ObjectBinding

  init(_ buffer: UnsafeRawBufferPointer, binding: ObjectBinding) {
    self.bytes = [UInt8](buffer)
    self.binding = binding
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
