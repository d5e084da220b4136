import Foundation
import LMDB

/// Computes the derived properties of an object that is being written.
extension RecordWriter {
  /// Returns the record with its current derived properties. Properties that depend only on the object itself
  /// are computed. All others keep their stored values, which the notes about other objects change later.
  ///
  /// - Returns: `nil` if the record is already correct.
  func derivedRecord(
    of table: Table,
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    isInsertion: Bool = false
  ) throws -> [UInt8]? {
    guard let derivations = table.derivations, !derivesNothing else { return nil }
    let view = try table.view(record)
    // The old record is in a page and must not be used after the next change.
    let old = try isInsertion ? nil : cursor(of: table).get(key).map { try table.view($0) }
    let calculation = DerivedCalculation(tables: tables, transaction: transaction)
    let payloads = try derivations.columns.map { column -> [UInt8]? in
      if column.kind == .lastChange { return time().payload(column.column.type.kind) }
      if column.slot < 0 { return try calculation.ownPayload(of: column, in: view, of: table, key: key) }
      guard let old else { return column.valueOfNothing.payload(column.column.type.kind) }
      var payload: [UInt8]?
      try table.payload(of: column.column, in: old) { payload = $0.map { [UInt8]($0) } }
      return payload
    }
    return try Self.record(of: table, view: view, key: key, derivations.columns, payloads)
  }

  /// Returns the time of the write, which is the same for all of its objects.
  func time() -> DerivedValue {
    if let timeOfWork { return timeOfWork }
    let time = DerivedValue.floating(tables.clock().timeIntervalSinceReferenceDate)
    timeOfWork = time
    return time
  }

  /// Returns the time of the write in milliseconds since 1970.
  package func milliseconds() -> Int64 {
    guard case .floating(let seconds) = time() else { return 0 }
    let milliseconds = (seconds + Date.timeIntervalBetween1970AndReferenceDate) * 1000
    return Int64(exactly: milliseconds.rounded()) ?? 0
  }

  /// Returns a record with the payloads of some columns replaced, or `nil` if it already has these payloads.
  static func record(
    of table: Table,
    view: RecordView,
    key: UnsafeRawBufferPointer,
    _ columns: [DerivedColumn],
    _ payloads: [[UInt8]?]
  ) throws -> [UInt8]? {
    var isSame = view.layout === table.currentLayout
    for index in columns.indices where isSame {
      try table.payload(of: columns[index].column, in: view) { payload in
        switch (payload, payloads[index]) {
        case (let payload?, let wanted?): isSame = payload.elementsEqual(wanted)
        case (nil, nil): break
        default: isSame = false
        }
      }
    }
    if isSame { return nil }
    let layout = table.currentLayout
    let isCurrent = view.layout === layout
    var writer = ValueWriter(reserving: view.bytes.count + 64)
    var builder = RecordBuilder(layout: layout, in: &writer)
    for (number, place) in layout.places.enumerated() {
      if let index = columns.firstIndex(where: { $0.column.id == place.columnID }) {
        if let payload = payloads[index] {
          payload.withUnsafeBytes { builder.set($0, place, in: &writer) }
        } else {
          builder.set(nil, place, in: &writer)
        }
      } else if isCurrent {
        try view.withPayload(place) { builder.set($0, place, in: &writer) }
      } else {
        try table.payload(of: layout.columns[number], in: view, key: key) {
          builder.set($0, place, in: &writer)
        }
      }
    }
    let start = try builder.finish(withChecksum: true, in: &writer)
    return writer.withBytes { [UInt8]($0[start...]) }
  }
}
