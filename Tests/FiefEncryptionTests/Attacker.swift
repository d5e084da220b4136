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

  /// Returns the entries of a tree as they are in the file.
  func entries(_ tree: String) throws -> [[UInt8]: [UInt8]] {
    var entries: [[UInt8]: [UInt8]] = [:]
    try change(tree) { transaction, tree in
      for key in try transaction.keys(tree) { entries[key] = try transaction.bytes(tree, key) }
    }
    return entries
  }

  /// Removes the entries of a tree, and puts others.
  func replace(_ tree: String, by entries: [[UInt8]: [UInt8]]) throws {
    try change(tree) { transaction, tree in
      try transaction.removeAll(tree)
      for (key, value) in entries { try transaction.put(value, key, tree) }
    }
  }

  func trees() throws -> [String] {
    try withEnvironment { environment in try environment.read { try $0.databaseNames() } }
  }

  func tree(beginningWith prefix: String) throws -> String {
    try #require(try trees().first { $0.hasPrefix(prefix) })
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
