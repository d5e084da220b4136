import Fief

@testable import FiefCore
@testable import FiefInspection

extension FuzzTarget {
  /// Records: any bytes are columns or `damagedRecord`, and columns that are written again are the same.
  static let records = FuzzTarget(
    name: "records",
    longest: 1200,
    seeds: {
      let record = try RecordEditor.make(of: FuzzSchema.table) { column in
        column.type.isOptional || column.type.container != .none ? nil : DynamicEncoder.zero(column.type)
      }
      return [[0] + record, [1] + record, [2, 0, 3, 1, 2, 3]]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      let flags = rest.byte()
      if flags & 2 != 0 { return try RecordChecks.checkBuilt(&rest) }
      var record = rest.remaining()
      if flags & 1 != 0, record.count > Layout.checksumSize {
        let sum = record.withUnsafeBytes {
          RecordChecksum.compute(.init(rebasing: $0[Layout.checksumSize...]))
        }
        withUnsafeBytes(of: sum.littleEndian) { record.replaceSubrange(0..<Layout.checksumSize, with: $0) }
      }
      try RecordChecks.check(record, defect)
    }
  )
}

extension DynamicEncoder {
  /// The zero of a column's kind, which is the same in each run.
  fileprivate static func zero(_ type: ColumnType) -> [UInt8]? {
    type.kind.fixedWidth.map { [UInt8](repeating: 0, count: $0) } ?? unset(type)
  }
}

private enum RecordChecks {
  static let key: [UInt8] = ObjectKey(rowID: 1).bytes

  static func check(_ record: [UInt8], _ defect: PlantedDefect) throws {
    let table = FuzzSchema.table
    let columns = try record.withUnsafeBytes { bytes -> [[UInt8]?]? in
      try FuzzSchema.unlessDamaged {
        let view = try table.view(bytes)
        try key.withUnsafeBytes { try view.verifyChecksum($0, of: table) }
        return try payloads(in: view)
      }
    }
    guard var columns else { return }
    // An integer of four bytes is read from two of them.
    if defect.isPlanted, let wide = table.entry.columns.firstIndex(where: { $0.type.kind == .int32 }),
      let payload = columns[wide], payload[2] != 0, payload[2] != 0xFF
    {
      columns[wide] = [payload[0], payload[1], 0, 0]
    }
    let written = try record.withUnsafeBytes { bytes in
      try RecordEditor.rewrite(try table.view(bytes), table: table) { _ in .keep }
    }
    let again = try written.withUnsafeBytes { bytes in
      let view = try table.view(bytes)
      try require(view.checksumDifference == 0, "a wrong checksum was written")
      return try payloads(in: view)
    }
    for (column, pair) in zip(table.entry.columns, zip(columns, again)) {
      try require(pair.0 == pair.1, "\(column.type): \(pair.0?.hex ?? "nil"), then \(pair.1?.hex ?? "nil")")
    }
    let twice = try written.withUnsafeBytes { bytes in
      try RecordEditor.rewrite(try table.view(bytes), table: table) { _ in .keep }
    }
    try require(twice == written, "a record is written in two ways")
  }

  /// The payloads of all columns. A column that is never nil has its zero in records that are older than it.
  private static func payloads(in view: RecordView) throws -> [[UInt8]?] {
    try FuzzSchema.table.entry.columns.map { column in
      var found: [UInt8]?
      try FuzzSchema.table.payload(of: column, in: view) { found = $0.map { [UInt8]($0) } }
      guard found == nil, !column.type.isOptional || column.type.container != .none else { return found }
      return [UInt8](repeating: 0, count: column.type.slotWidth ?? 0)
    }
  }

  /// A record of payloads that the input gives has these payloads.
  static func checkBuilt(_ input: inout FuzzInput) throws {
    let table = FuzzSchema.table
    var wanted: [[UInt8]?] = []
    for column in table.entry.columns {
      let isNil = column.type.isOptional && column.type.container == .none && input.byte() & 1 == 0
      var payload = isNil ? nil : input.sized()
      if let width = column.type.slotWidth, let given = payload {
        payload = Array((given + [UInt8](repeating: 0, count: width)).prefix(width))
        if column.type.kind == .bool { payload = payload.map { [$0[0] & 1] } }
      }
      wanted.append(payload)
    }
    let record = try RecordEditor.make(of: table) { wanted[Int($0.id)] }
    try record.withUnsafeBytes { bytes in
      let found = try payloads(in: try table.view(bytes))
      for (column, pair) in zip(table.entry.columns, zip(wanted, found)) {
        try require(pair.0 == pair.1, "\(column.type): \(pair.0?.hex ?? "nil"), then \(pair.1?.hex ?? "nil")")
      }
    }
  }
}
