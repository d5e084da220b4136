/// An object's own copy of the record it was read from: what its unresolved links and collections are
/// read from when they are first touched.
final class RecordCopy {
  let bytes: [UInt8]
  let binding: ObjectBinding

  init(_ buffer: UnsafeRawBufferPointer, binding: ObjectBinding) {
    self.bytes = [UInt8](buffer)
    self.binding = binding
  }

  /// The payload of a column; nil where it is nil, missing or damaged.
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
