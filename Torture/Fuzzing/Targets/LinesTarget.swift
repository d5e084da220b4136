import Fief
import FiefImport
import Foundation

@testable import FiefToolKit

extension FuzzTarget {
  /// Files that the tool imports, JSON lines and CSV: records are the same however the file is read, a wrong one is an error of
  /// the line, and what was imported is exported and imported as the same.
  ///
  /// The first byte chooses between JSON lines and CSV and what happens to known keys, the second one how much is read at once.
  static let lines = FuzzTarget(
    name: "lines",
    longest: 1200,
    seeds: {
      let things = """
        {"$type":"FuzzedThing","id":"a","name":"n","tiny":3,"any":{"$date":"2024-02-29T12:30:00Z"},"best":"b"}
        {"$type":"FuzzedThing","id":"b","tags":["x"],"part":{"text":"p","part":null,"numbers":[1]}}
        {"$type":"FuzzedNote","$key":4,"text":"t","thing":"a"}
        """
      let table = "id,name,tiny,born,scores\na,n,3,2024-02-29T12:30:00Z,\"{}\"\nb,,4,,\n"
      return [[0, 9] + Array(things.utf8), [1, 9] + Array(table.utf8)]
    },
    run: { input, defect in
      var rest = FuzzInput(input)
      let (flags, part) = (rest.byte(), rest.byte())
      let isCSV = flags & 1 != 0
      let file = rest.remaining()
      let records = try LineChecks.records(of: file, isCSV: isCSV, part: Int(part) + 1)
      let whole = try LineChecks.records(of: file, isCSV: isCSV, part: file.count + 1)
      try require(records.map(\.line) == whole.map(\.line), "other lines: \(file.hex)")
      try require(records.map(\.bytes) == whole.map(\.bytes), "other records: \(file.hex)")
      if isCSV { for record in records { try LineChecks.checkCells(record.bytes, defect) } }
      guard records.count <= 20 else { return }
      let conflicts = DynamicConflict.allCases
      try LineChecks.checkImport(records, isCSV: isCSV, conflicts[Int(flags >> 1) % conflicts.count], defect)
    }
  )
}

private enum LineChecks {
  static func records(of file: [UInt8], isCSV: Bool, part: Int) throws -> [RecordReader.Record] {
    var position = 0
    var reader = RecordReader(isCSV: isCSV) {
      let end = min(position + part, file.count)
      defer { position = end }
      return Data(file[position..<end])
    }
    var records: [RecordReader.Record] = []
    while let record = try reader.next() { records.append(record) }
    try require(reader.consumed <= file.count, "more was read than there is")
    return records
  }

  /// A row is cells that are written as a row with these cells, or an error.
  static func checkCells(_ row: [UInt8], _ defect: PlantedDefect) throws {
    let cells: [CSVCell]
    do { cells = try CSVText.cells(of: row) } catch is CSVError { return }
    var written: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { written.append(0x2C) }
      CSVText.append(cell, to: &written)
    }
    // Nothing at all is no row, a carriage return at the end belongs to the end of the line, and a mark at the beginning to the file.
    guard !written.isEmpty, written.last != 0x0D, !written.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
    let record = try records(of: written + [0x0A, 0x61], isCSV: true, part: 7)
    try require(record.count == 2, "\(record.count) records: \(row.hex)")
    var again = try CSVText.cells(of: record[0].bytes).map(\.text)
    // Quotes in cells are lost.
    if defect.isPlanted { again = again.map { $0.replacing("\"", with: "") } }
    try require(again == cells.map(\.text), "\(cells.map(\.text)), then \(again)")
  }

  private static let repository = FuzzedRepository(name: "lines", realmMemoryType: .inStorage)

  private static let store = Result {
    try repository.open()
    return try DynamicStore(directory: "\(FuzzPlace.directory)/lines", isReadOnly: false)
  }

  static func checkImport(
    _ records: [RecordReader.Record],
    isCSV: Bool,
    _ conflict: DynamicConflict,
    _ defect: PlantedDefect
  ) throws {
    let store = try store.get()
    do {
      try store.write { transaction in
        var records = records[...]
        var columns: [String] = []
        if isCSV {
          guard let heading = records.popFirst() else { throw FuzzRollback() }
          do { columns = try CSVText.cells(of: heading.bytes).map(\.text) } catch is CSVError {
            throw FuzzRollback()
          }
          guard Set(columns).count == columns.count else { throw FuzzRollback() }
        }
        for record in records {
          do {
            try put(record.bytes, columns: isCSV ? columns : nil, conflict, in: transaction)
          } catch {
            try require(
              ImportProblem(line: 1, error, showsValues: true) != nil,
              "not an error of a line: \(error)"
            )
          }
        }
        try checkExport(transaction)
        throw FuzzRollback()
      }
    } catch is FuzzRollback {}
  }

  private static func put(
    _ record: [UInt8],
    columns: [String]?,
    _ conflict: DynamicConflict,
    in transaction: DynamicTransaction
  ) throws {
    let links = DynamicLinkPolicy.leaveOut { _, _ in }
    guard let columns else {
      _ = try record.withUnsafeBytes { try transaction.put(nil, line: $0, conflict: conflict, links: links) }
      return
    }
    let cells = try CSVText.cells(of: record)
    guard cells.count == columns.count else {
      throw CSVError.wrongCount(cells.count, expected: columns.count)
    }
    let named = zip(columns, cells).map { (name: $0, cell: $1) }
    _ = try transaction.put("FuzzedThing", cells: named, conflict: conflict, links: links)
  }

  /// What is exported in both forms is imported as the same.
  private static func checkExport(_ transaction: DynamicTransaction) throws {
    for isCSV in [false, true] {
      let before = try export(transaction, isCSV: isCSV)
      for (type, lines) in before {
        let columns = isCSV ? self.columns(type, transaction) : nil
        for line in lines {
          if !isCSV { try JSONChecks.checkStrict(String(decoding: line, as: UTF8.self)) }
          // A row of CSV is of the type that the file is for.
          guard !isCSV || type == "FuzzedThing" else { continue }
          try put(line, columns: columns, .replace, in: transaction)
        }
      }
      let after = try export(transaction, isCSV: isCSV)
      for (first, second) in zip(before, after) {
        try require(
          first.lines == second.lines,
          "exported \(first.lines.map { String(decoding: $0, as: UTF8.self) }), "
            + "then \(second.lines.map { String(decoding: $0, as: UTF8.self) })"
        )
      }
    }
  }

  private static func columns(_ type: String, _ transaction: DynamicTransaction) -> [String] {
    transaction.types.first { $0.name == type }.map { ObjectLines.columns(of: $0) } ?? []
  }

  private static func export(_ transaction: DynamicTransaction, isCSV: Bool) throws -> [(
    type: String, lines: [[UInt8]]
  )] {
    try ["FuzzedNote", "FuzzedThing"].map { type in
      let writer = ObjectLines(isCSV: isCSV, columns: columns(type, transaction))
      var lines: [[UInt8]] = []
      try transaction.forEach(ofType: type) { object in
        var line: [UInt8] = []
        try writer.append(object, typeName: type, to: &line)
        lines.append(line.dropLast())
      }
      return (type, lines)
    }
  }
}
