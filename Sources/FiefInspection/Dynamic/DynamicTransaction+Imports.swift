import FiefCore
import Foundation
import LMDB

/// The rows in the catalogue's tree that record the progress of imports. They are committed together with the
/// objects, so both agree even if the process is killed at any time.
///
/// An import has one row with its last line and the time, and one row for each line with unresolved links.
enum ImportRows {
  static let prefix = Array("import:".utf8)

  static func head(of id: UUID) -> [UInt8] { prefix + Array(id.uuidString.utf8) }

  static func waiting(line: Int, of id: UUID) -> [UInt8] {
    head(of: id) + [UInt8(ascii: ":")] + withUnsafeBytes(of: Int64(line).bigEndian) { Array($0) }
  }

  static func headValue(line: Int, at date: Date) -> [UInt8] {
    let seconds = Int64(date.timeIntervalSince1970)
    return [Int64(line), seconds].flatMap { number in
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
  }

  /// Returns the line and the time of a head row, or `nil` for any other row.
  static func head(_ value: UnsafeRawBufferPointer) -> (line: Int, date: Date)? {
    guard value.count == 16 else { return nil }
    let line = Int64(littleEndian: value.loadUnaligned(as: Int64.self))
    let seconds = Int64(littleEndian: value.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    guard line > 0, let line = Int(exactly: line) else { return nil }
    return (line, Date(timeIntervalSince1970: Double(seconds)))
  }
}

extension DynamicSnapshot {
  /// Returns the number of the last line up to which all lines of an import are in the store, or `nil` if no
  /// line is.
  package final func importedLine(of id: UUID) throws -> Int? {
    try described {
      try ImportRows.head(of: id).withUnsafeBytes { key in
        try transaction.get(tables.catalogueTree, key).flatMap { ImportRows.head($0)?.line }
      }
    }
  }

  /// Returns the object that was imported from a line if its links are still unresolved; otherwise `nil`.
  package final func waitingObject(ofLine line: Int, of id: UUID) throws -> (
    typeName: String, key: ObjectKey
  )? {
    try described {
      try ImportRows.waiting(line: line, of: id).withUnsafeBytes { key in
        guard let value = try transaction.get(tables.catalogueTree, key) else { return nil }
        // The value consists of the type's name, a zero byte and the key.
        guard let end = value.firstIndex(of: 0) else { return nil }
        return (
          String(decoding: value[..<end], as: UTF8.self),
          ObjectKey(storedBytes: Array(value[(end + 1)...]))
        )
      }
    }
  }
}

extension DynamicTransaction {
  /// Records that all lines of an import up to a line are in the store.
  package func noteImported(upTo line: Int, of id: UUID, at date: Date = Date()) throws {
    try put(ImportRows.head(of: id), ImportRows.headValue(line: line, at: date))
  }

  /// Records that the links of a line's object are unresolved.
  package func noteWaiting(line: Int, typeName: String, key: ObjectKey, of id: UUID) throws {
    try put(ImportRows.waiting(line: line, of: id), Array(typeName.utf8) + [0] + key.bytes)
  }

  /// Records that the links of a line's object are resolved.
  package func forgetWaiting(line: Int, of id: UUID) throws {
    try described { try delete(ImportRows.waiting(line: line, of: id)) }
  }

  /// Removes all records of an import.
  package func forgetImport(_ id: UUID) throws {
    try described {
      let keys = try rows(from: ImportRows.head(of: id)).map(\.key)
      for key in keys { try delete(key) }
    }
  }

  /// Removes the records of imports that were not resumed since a date.
  package func forgetImports(before date: Date) throws {
    try described {
      let length = ImportRows.head(of: UUID()).count
      let heads = try rows(from: ImportRows.prefix) { $0.count == length }
      for (key, value) in heads {
        let seen = value.withUnsafeBytes { ImportRows.head($0)?.date }
        guard (seen ?? .distantPast) < date else { continue }
        for row in try rows(from: key) { try delete(row.key) }
      }
    }
  }

  private func put(_ key: [UInt8], _ value: [UInt8]) throws {
    try described {
      try key.withUnsafeBytes { key in
        try value.withUnsafeBytes { try writer.transaction.put(tables.catalogueTree, key, $0) }
      }
    }
  }

  private func delete(_ key: [UInt8]) throws {
    _ = try key.withUnsafeBytes { try writer.transaction.delete(tables.catalogueTree, $0) }
  }

  /// Returns the rows whose keys begin with a prefix.
  private func rows(
    from prefix: [UInt8],
    where isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true }
  ) throws -> [(key: [UInt8], value: [UInt8])] {
    let cursor = try transaction.cursor(tables.catalogueTree)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    var rows: [(key: [UInt8], value: [UInt8])] = []
    while found, cursor.key.starts(with: prefix) {
      if isWanted(cursor.key) { rows.append((Array(cursor.key), Array(cursor.value))) }
      found = try cursor.next()
    }
    return rows
  }
}
