/// Makes a new record from another one with some columns replaced, without making an object.
enum RecordEditor {
  enum Replacement {
    case keep
    case set([UInt8]?)
  }

  /// A record of the table's current layout with the columns of `view`, as `replacement` has them.
  static func rewrite(
    _ view: RecordView,
    table: Table,
    replacement: (ColumnEntry) throws -> Replacement
  ) throws -> [UInt8] {
    var writer = ValueWriter(reserving: view.bytes.count + 64)
    var builder = RecordBuilder(layout: table.currentLayout, in: &writer)
    for (place, column) in zip(table.currentLayout.places, table.currentLayout.columns) {
      switch try replacement(column) {
      case .keep:
        try table.payload(of: column, in: view) { append($0, at: place, with: &builder, to: &writer) }
      case .set(let payload?):
        payload.withUnsafeBytes { append($0, at: place, with: &builder, to: &writer) }
      case .set(nil):
        append(nil, at: place, with: &builder, to: &writer)
      }
    }
    try builder.finish(withChecksum: true, in: &writer)
    return writer.bytes
  }

  private static func append(
    _ payload: UnsafeRawBufferPointer?,
    at place: Layout.Place,
    with builder: inout RecordBuilder,
    to writer: inout ValueWriter
  ) {
    if payload == nil { builder.setNil(place, in: &writer) }
    if place.slot >= 0 {
      if let payload { builder.setSlot(payload, place, in: &writer) }
    } else {
      if let payload { writer.append(payload) }
      builder.endVarying(in: &writer)
    }
  }
}
