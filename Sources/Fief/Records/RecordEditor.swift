/// Makes a new record from another one with some columns replaced, without making an object.
enum RecordEditor {
  enum Replacement {
    case keep
    case set([UInt8]?)
  }

  /// A record of the table's current layout with the columns of `view`, as `replacement` has them.
  ///
  /// - Parameters:
  ///   - key: the object's key, which has the columns of a primary key that a migration changes.
  ///   - withChecksum: false for an embedded record.
  static func rewrite(
    _ view: RecordView,
    table: Table,
    key: UnsafeRawBufferPointer? = nil,
    withChecksum: Bool = true,
    replacement: (ColumnEntry) throws -> Replacement
  ) throws -> [UInt8] {
    var writer = ValueWriter(reserving: view.bytes.count + 64)
    var builder = RecordBuilder(layout: table.currentLayout, in: &writer)
    for (place, column) in zip(table.currentLayout.places, table.currentLayout.columns) {
      switch try replacement(column) {
      case .keep:
        try table.payload(of: column, in: view, key: key) { builder.set($0, place, in: &writer) }
      case .set(let payload?):
        payload.withUnsafeBytes { builder.set($0, place, in: &writer) }
      case .set(nil):
        builder.set(nil, place, in: &writer)
      }
    }
    let start = try builder.finish(withChecksum: withChecksum, in: &writer)
    return writer.withBytes { [UInt8]($0[start...]) }
  }
}
