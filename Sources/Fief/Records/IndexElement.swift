import LMDB

/// The first element of an index's entry: the value of a column, as a key has it.
enum IndexElement {
  /// Appends the element for a column's value in a record.
  static func append(
    _ column: ColumnEntry,
    of table: Table,
    in view: RecordView,
    key: UnsafeRawBufferPointer,
    to writer: inout ValueWriter
  ) throws {
    if let place = view.layout.place(ofColumn: column.id), !place.isConverted, !view.isNil(place) {
      switch (place.form, column.type.kind) {
      case (.integer, _): return append(KeyElementImage(view.integer(place)), to: &writer)
      case (.fixed, .double): return append(KeyElementImage(view.slot(place).leadingDouble), to: &writer)
      case (.fixed, .date): return append(KeyElementImage(date: view.slot(place).leadingDouble), to: &writer)
      default: break
      }
    }
    var encoder = KeyEncoder()
    if let part = table.primaryKey.firstIndex(where: { $0.id == column.id }) {
      var decoder = KeyDecoder(key)
      for _ in 0..<part { try decoder.skip() }
      let rest = decoder.remaining
      try decoder.skip()
      encoder.append(raw: UnsafeRawBufferPointer(rebasing: rest[..<(rest.count - decoder.remaining.count)]))
    } else {
      try table.payload(of: column, in: view) {
        try KeyCoding.append($0, kind: column.type.kind, to: &encoder)
      }
    }
    writer.append(encoder.bytes)
  }

  /// The element for a column's value in a record.
  static func element(
    _ column: ColumnEntry,
    of table: Table,
    in view: RecordView,
    key: UnsafeRawBufferPointer
  ) throws -> [UInt8] {
    var writer = ValueWriter()
    try append(column, of: table, in: view, key: key, to: &writer)
    return writer.bytes
  }

  /// All sixteen bytes go in one store; those behind the element's are dropped again.
  @inline(__always)
  static func append(_ image: KeyElementImage, to writer: inout ValueWriter) {
    let start = writer.count
    writer.appendUninitialized(16).storeBytes(of: image.bytes, as: UInt128.self)
    writer.truncate(to: start + image.count)
  }
}
