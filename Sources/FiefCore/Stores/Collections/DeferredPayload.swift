/// The payload of a collection in the record from which its owner was read.
struct DeferredPayload {
  let record: RecordCopy
  /// The range of the payload in the record's bytes.
  let range: Range<Int>

  func read<Value>(context: ObjectContext?, _ body: (inout ValueReader) throws -> Value) throws -> Value {
    try record.bytes.withUnsafeBytes { bytes in
      var reader = ValueReader(UnsafeRawBufferPointer(rebasing: bytes[range]), context: context)
      return try body(&reader)
    }
  }

  /// Returns the links of the payload. Their keys stay in the record.
  func slots<Element: RealmCollectionValue>(context: ObjectContext?) throws -> ElementSlots<Element> {
    if range.isEmpty { return ElementSlots([], bytes: [], context: context) }
    let (count, offset) = try read(context: nil) { reader in
      (try reader.count(), range.upperBound - reader.rest.count)
    }
    return try ElementSlots(record.bytes, from: offset, count: count, context: context)
  }
}

extension ObjectBase {
  /// Calls `body` with a lazily read collection: its payload, or the marker of a large collection.
  ///
  /// - Returns: the error of the read, or `nil` if it succeeded. The store's event handler receives the error
  ///   too.
  func readCollection(
    at offset: Int,
    _ body: (
      _ payload: DeferredPayload,
      _ marker: CollectionMarker?,
      _ context: ObjectContext?,
      _ columnID: UInt16
    ) throws -> Void
  ) -> (any Error)? {
    guard let record = _record, let id = record.binding.columnID(ofPropertyAt: offset) else { return nil }
    do {
      try record.bytes.withUnsafeBytes { bytes in
        let range = try record.withPayload(ofColumn: id) { payload in
          guard let base = bytes.baseAddress, let start = payload.baseAddress else { return 0..<0 }
          return (start - base)..<(start - base + payload.count)
        }
        guard let range else { return }
        let payload = UnsafeRawBufferPointer(rebasing: bytes[range])
        try body(DeferredPayload(record: record, range: range), try CollectionMarker(payload), _context, id)
      }
      return nil
    } catch {
      _context?.report(
        error,
        type: record.binding.table.name,
        property: descriptor.property(at: offset)?.name
      )
      return error
    }
  }
}
