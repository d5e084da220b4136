import LMDB
import Testing

/// Damage to the backlinks of a store that a test has closed.
enum BacklinkDamage {
  /// Changes a byte of the key of the source in the last backlink along the only link of a type.
  ///
  /// - Parameters:
  ///   - byte: the last such byte of the entry is changed.
  ///   - type: the type of the sources.
  static func change(_ byte: UInt8, to other: UInt8, ofLinksFrom type: String, in directory: String) throws {
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    defer { environment.close() }
    try environment.write { transaction in
      let names = try transaction.databaseNames()
      let records = try #require(names.first { $0.hasPrefix("type:") && $0.hasSuffix(".\(type)") })
      let prefix = "links:" + records.dropFirst("type:".count).prefix { $0 != "." } + "."
      let tree = try transaction.openDatabase(named: try #require(names.first { $0.hasPrefix(prefix) }))
      let cursor = try transaction.cursor(tree)
      try #require(try cursor.last())
      var key = [UInt8](cursor.key)
      let value = [UInt8](cursor.value)
      try cursor.delete()
      key[try #require(key.lastIndex(of: byte))] = other
      try key.withUnsafeBytes { key in try value.withUnsafeBytes { try transaction.put(tree, key, $0) } }
    }
  }
}
