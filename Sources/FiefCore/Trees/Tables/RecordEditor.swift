import LMDB

/// Builds a new record from another one with some columns replaced, without materializing an object.
package enum RecordEditor {
  package enum Replacement {
    case keep
    case set([UInt8]?)
  }

  /// Returns a record in the table's current layout.
  ///
  /// - Parameters:
  ///   - withChecksum: whether the record has a checksum; `false` for an embedded record.
  ///   - payload: Returns the payload of a column, or `nil` for a nil value.
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

  /// Returns a record in the table's current layout with the columns of `view`, except for the columns that
  /// `replacement` sets.
  ///
  /// - Parameters:
  ///   - key: The object's key. It contains the columns of a primary key that a migration changes.
  ///   - withChecksum: whether the record has a checksum; `false` for an embedded record.
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

  /// Returns the record in its own layout, with other payloads for some columns of varying width.
  ///
  /// - Parameter payload: Returns the new payload of a column, or `nil` to keep the current one.
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

  /// Returns the record with the elements of its large collections inline, or `nil` if it has no large
  /// collection.
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
    // A damaged record must not become valid, so the new checksum differs from the correct one as the old
    // checksum did.
    let difference = withUnsafeBytes(of: view.checksumDifference.littleEndian) { [UInt8]($0) }
    for (index, byte) in difference.enumerated() { whole[index] ^= byte }
    return whole
  }
}
