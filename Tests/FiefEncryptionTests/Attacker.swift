import Foundation
import Testing

@testable import LMDB

/// Changes the files of a closed store without its key.
struct Attacker {
  let directory: String

  var file: URL { URL(fileURLWithPath: directory + "/data.mdb") }

  private func withEnvironment<Value>(_ body: (LMDB.Environment) throws -> Value) throws -> Value {
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    defer { environment.close() }
    return try body(environment)
  }

  /// Changes a tree.
  func change(_ tree: String, _ body: (WritableTransaction, Database) throws -> Void) throws {
    try withEnvironment { environment in
      let database = try #require(try environment.openDatabase(named: tree))
      try environment.write { try body($0, database) }
    }
  }

  /// Changes the unnamed tree, which has the record of the last commit.
  func changeUnnamed(_ body: (WritableTransaction, Database) throws -> Void) throws {
    try withEnvironment { environment in
      let unnamed = try environment.databases.reserve(handle: Transaction.unnamed)
      try environment.write { try body($0, unnamed) }
    }
  }

  /// Makes an empty tree.
  func make(_ tree: String) throws {
    try withEnvironment { _ = try $0.openDatabases([tree], create: true) }
  }

  func tree(beginningWith prefix: String) throws -> String {
    try withEnvironment { environment in
      try #require(try environment.read { try $0.databaseNames() }.first { $0.hasPrefix(prefix) })
    }
  }
}

/// Changes that no program on LMDB makes.
extension Attacker {
  private static let pageSize = 4096

  /// Has the second of two long values of a leaf be the pages of the first one, in each leaf.
  ///
  /// - Parameter count: the least number of bytes of a value.
  func shareLongValues(ofAtLeast count: Int) throws {
    var bytes = FileBytes(try Data(contentsOf: file))
    var shared = 0
    for page in stride(from: 2 * Self.pageSize, to: bytes.count, by: Self.pageSize) {
      let nodes = bytes.nodes(page).filter {
        bytes.half($0 + 4) == 1 && bytes.word($0) & 0xFFFF_FFFF >= count
      }
      guard nodes.count == 2 else { continue }
      shared += 1
      let places = nodes.map { $0 + 8 + bytes.half($0 + 6) }
      bytes.copy(from: nodes[0], to: nodes[1], count: 4)
      bytes.copy(from: places[0], to: places[1], count: 8)
    }
    #expect(shared > 0)
    try bytes.data.write(to: file)
  }

  /// Has the newest meta page lead to the main tree of the commit before, whose pages are still in the file.
  ///
  /// - Parameter renumbers: whether the commit before gets the number of the newest one.
  func bringBackMainTree(renumbers: Bool) throws {
    var bytes = FileBytes(try Data(contentsOf: file))
    let isFirst = bytes.word(144) > bytes.word(Self.pageSize + 144)
    let (newer, older) = isFirst ? (0, Self.pageSize) : (Self.pageSize, 0)
    bytes.copy(from: older + 88, to: newer + 88, count: 48)
    if renumbers {
      let name = Array("fief\0commit".utf8)
      let root = bytes.word(newer + 128) * Self.pageSize
      let record = try #require(bytes.nodes(root).first { bytes.key($0).elementsEqual(name) })
      let end = record + 8 + name.count + bytes.word(record) & 0xFFFF_FFFF
      bytes.copy(from: newer + 144, to: end - 8, count: 8)
    }
    try bytes.data.write(to: file)
  }
}

/// The bytes of a file of LMDB.
private struct FileBytes {
  private var bytes: [UInt8]

  init(_ data: Data) { bytes = [UInt8](data) }

  var data: Data { Data(bytes) }
  var count: Int { bytes.count }

  func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }

  func word(_ place: Int) -> Int {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int.self) }
  }

  /// Returns the nodes of a leaf. Other pages have none.
  func nodes(_ page: Int) -> [Int] {
    guard half(page + 10) == 2, word(page) == page / 4096, 16...4096 ~= half(page + 12) else { return [] }
    return (0..<(half(page + 12) - 16) / 2).map { page + half(page + 16 + 2 * $0) }
  }

  func key(_ node: Int) -> ArraySlice<UInt8> { bytes[node + 8..<node + 8 + half(node + 6)] }

  mutating func copy(from source: Int, to target: Int, count: Int) {
    bytes.replaceSubrange(target..<target + count, with: bytes[source..<source + count])
  }
}

extension LMDB.Transaction {
  func bytes(_ tree: Database, _ key: [UInt8]) throws -> [UInt8] {
    try #require(try key.withUnsafeBytes { try get(tree, $0).map { Array($0) } })
  }
}

extension WritableTransaction {
  func keys(_ tree: Database) throws -> [[UInt8]] {
    let cursor = try cursor(tree)
    var keys: [[UInt8]] = []
    while try cursor.next() { keys.append(Array(cursor.key)) }
    return keys
  }

  func remove(_ key: [UInt8], _ tree: Database) throws {
    let wasThere = try key.withUnsafeBytes { try delete(tree, $0) }
    #expect(wasThere)
  }

  func put(_ value: [UInt8], _ key: [UInt8], _ tree: Database) throws {
    try key.withUnsafeBytes { key in try value.withUnsafeBytes { try put(tree, key, $0) } }
  }
}
