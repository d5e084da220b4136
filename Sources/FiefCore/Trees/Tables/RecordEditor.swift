import LMDB

/// Makes a new record from another one with some columns replaced, without making an object.
package enum RecordEditor {
  package enum Replacement {
    case keep
    case set([UInt8]?)
  }

  /// A record of the table's current layout.
  ///
  /// - Parameters:
  ///   - withChecksum: false for an embedded record.
  ///   - payload: the payload of a column; nil for nil.
  package static func make(
    of table: Table,
    withChecksum: Bool = true,
    _ payload: (ColumnEntry) throws -> [UInt8]?
  ) throws -> [UInt8] {
    var writer = ValueWriter(reserving: 128)
    var builder = RecordBuilder(layout: table.currentLayout, in: &writer)
    for (place, column) in zip(table.currentLayout.places, table.currentLayout.columns) {
      try payload(column).withBytes { builder.set($0, place, in: &writer) }
    }
    let start = try builder.finish(withChecksum: withChecksum, in: &writer)
    return writer.withBytes { [UInt8]($0[start...]) }
  }

  /// A record of the table's current layout with the columns of `view`, as `replacement` has them.
  ///
  /// - Parameters:
  ///   - key: the object's key, which has the columns of a primary key that a migration changes.
  ///   - withChecksum: false for an embedded record.
  package static func rewrite(
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

  /// The record in its own layout, with other payloads for some columns of varying width.
  ///
  /// - Parameter payload: the other payload of a column; nil where it stays.
  package static func replacing(_ view: RecordView, _ payload: (_ columnID: UInt16) -> [UInt8]?) throws
    -> [UInt8]
  {
    var writer = ValueWriter(reserving: view.bytes.count + 64)
    var builder = RecordBuilder(layout: view.layout, in: &writer)
    for place in view.layout.places {
      if let payload = payload(place.columnID) {
        payload.withUnsafeBytes { builder.set($0, place, in: &writer) }
      } else {
        try view.withPayload(place) { builder.set($0, place, in: &writer) }
      }
    }
    let start = try builder.finish(withChecksum: true, in: &writer)
    return writer.withBytes { [UInt8]($0[start...]) }
  }

  /// The record with the elements of its large collections in it; nil where it has none.
  package static func expanded(
    _ record: UnsafeRawBufferPointer,
    _ table: Table,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction
  ) throws -> [UInt8]? {
    if table.collections.isEmpty { return nil }
    let view = try table.view(record)
    var payloads: [(column: UInt16, payload: [UInt8])] = []
    for collection in table.collections {
      guard let place = view.layout.place(ofColumn: collection.column.id), place.form == .varying,
        let marker = try CollectionMarker(try view.varying(place))
      else { continue }
      let large = try LargeCollection.at(
        marker,
        type: view.layout.columns[Int(place.index)].type,
        tables: tables,
        in: transaction
      )
      payloads.append((place.columnID, try large.recordPayload()))
    }
    if payloads.isEmpty { return nil }
    var whole = try replacing(view) { id in payloads.first { $0.column == id }?.payload }
    // A damaged record stays damaged: its checksum differs by as much as before.
    let difference = withUnsafeBytes(of: view.checksumDifference.littleEndian) { [UInt8]($0) }
    for (index, byte) in difference.enumerated() { whole[index] ^= byte }
    return whole
  }
}
