import Foundation

@testable import LMDB

/// Data files that an input makes: the file itself, or one that LMDB has written with bytes of it changed.
struct DamagedFiles {
  /// Small stores with a tree of two levels, long values, and pages that were freed.
  static let whole = Result { try [3, 60, 400].map { try store(entries: $0) } }

  private static func store(entries: Int) throws -> [UInt8] {
    let name = "whole-\(entries)"
    let environment = try FuzzPlace.environment(name)
    defer { environment.close() }
    let names = ["items", "long", "empty"]
    for round in 0..<2 {
      try environment.write { transaction in
        let trees = try names.map { try transaction.openDatabase(named: $0) }
        for index in 0..<entries {
          let key = Array("key \(index * 7 % entries)".utf8)
          // The second round frees pages.
          let value = [UInt8](
            repeating: UInt8(index & 0x7F),
            count: round == 0 ? 40 : index % 3 == 0 ? 0 : 60
          )
          try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { try transaction.put(trees[0], key, $0) }
          }
        }
        let value = [UInt8](repeating: 7, count: 9_000)
        try value.withUnsafeBytes { value in
          try [1].withUnsafeBytes { try transaction.put(trees[1], $0, value) }
        }
      }
    }
    return [UInt8](try Data(contentsOf: URL(filePath: "\(FuzzPlace.directory)/\(name)/data.mdb")))
  }

  /// The file of an input: its first byte is 0 for a file that follows, else it chooses a store whose bytes are changed. A change is a
  /// page, a place in it (2 bytes), a count, and so many bytes.
  static func file(_ input: inout FuzzInput) throws -> [UInt8] {
    let choice = input.byte()
    let stores = try whole.get()
    guard choice > 0 else { return input.remaining() }
    var file = stores[Int(choice - 1) % stores.count]
    while !input.isAtEnd {
      let place = Int(input.byte()) * 4096 + input.short()
      let bytes = input.take(Int(input.byte() & 15) + 1)
      for (index, byte) in bytes.enumerated() where !file.isEmpty {
        file[(place + index) % file.count] = byte
      }
    }
    return file
  }

  /// Puts files into an empty directory of a store.
  static func put(_ files: [String: [UInt8]], in directory: String) throws {
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    for (name, bytes) in files {
      let isMade = FileManager.default.createFile(
        atPath: "\(directory)/\(name)",
        contents: Data(bytes),
        attributes: [.posixPermissions: 0o600]
      )
      try require(isMade, "\(name) cannot be written")
    }
  }

  /// What files that are no store are refused with.
  static let codes: [LMDBError.Code] = [
    .damaged, .truncated, .notAStore, .versionMismatch, .incompatible, .notFound,
  ]

  /// What a body returns; nil where it says that the files are no store.
  static func unlessDamaged<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch let error as LMDBError where codes.contains(error.code) { return nil }
  }

  /// Reads all entries of all trees in both directions and by their keys.
  ///
  /// - Parameter most: the entries that there can be; more are an endless loop.
  /// - Returns: the number of entries.
  static func readAll(_ environment: LMDB.Environment, most: Int) throws -> Int {
    let names = try environment.read { try $0.databaseNames() }
    var total = 0
    for name in names {
      guard let database = try environment.openDatabase(named: name) else { continue }
      try environment.read { transaction in
        let cursor = try transaction.cursor(database)
        var (count, last) = (0, [UInt8]())
        while try cursor.next() {
          count += 1
          try require(count <= most, "\(name) has no end")
          let key = [UInt8](cursor.key)
          try require(count == 1 || last.lexicographicallyPrecedes(key), "\(name): keys out of order")
          let found = try key.withUnsafeBytes { try transaction.get(database, $0) }
          try require(found?.elementsEqual(cursor.value) == true, "\(name): a key is not found: \(key.hex)")
          last = key
        }
        var backwards = 0
        while try cursor.previous() {
          backwards += 1
          try require(backwards <= most, "\(name) has no beginning")
        }
        try require(backwards == count, "\(name) has \(count) entries, and \(backwards) backwards")
        total += count
      }
    }
    return total
  }
}
