import LMDB

/// Gives the objects of types their new keys.
final class Rekeying {
  private let migration: Migration
  private let stage: MigrationStage
  private let before: StoreTables
  private let after: StoreTables
  /// The types whose new keys are in a different order than the old keys.
  private var unordered: Set<String> = []

  init(migration: Migration, stage: MigrationStage, before: StoreTables, after: StoreTables) {
    self.migration = migration
    self.stage = stage
    self.before = before
    self.after = after
  }

  /// Returns the name of the temporary tree that maps old keys to new ones.
  static func tree(of type: String) -> String { "keys:\(type)" }

  /// Returns the name of the temporary tree that maps new keys to old ones.
  private static func orderTree(of type: String) -> String { "order:\(type)" }

  /// Records the new key of each object of a type.
  ///
  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey` if two objects have the same new key.
  func mapKeys(of name: String) throws {
    guard let table = before[name], let records = table.records, let target = after[name] else { return }
    let transaction = migration.writer.transaction
    let count = try transaction.count(records)
    let part = migration.progress.begin("\(name): creating keys", total: count)
    let tree = try migration.temporary.tree(Self.tree(of: name))
    let cursor = try transaction.writeCursor(tree)
    var rowID = try reserveRowIDs(count, for: target)
    var stream = try RecordStream(records, of: transaction)
    var last: [UInt8] = []
    while let (old, record) = try stream.next() {
      let new: [UInt8]
      if target.primaryKey.isEmpty {
        new = ObjectKey(rowID: rowID).bytes
        rowID += 1
      } else {
        new = try key(of: target, in: table, old: old, record: record)
      }
      if !last.lexicographicallyPrecedes(new) { unordered.insert(name) }
      last = new
      try old.withUnsafeBytes { old in try new.withUnsafeBytes { try cursor.put(old, $0) } }
      part.advance()
    }
    part.finish()
    if unordered.contains(name) { try orderKeys(of: name, count: count) }
  }

  /// Sorts the objects by their new keys. Writing records in random order would access all pages of the new
  /// tree repeatedly, which is slow if the tree does not fit into memory.
  private func orderKeys(of name: String, count: Int) throws {
    let part = migration.progress.begin("\(name): sorting keys", total: count)
    let transaction = migration.writer.transaction
    let tree = try migration.temporary.tree(Self.orderTree(of: name))
    let cursor = try transaction.writeCursor(tree)
    var stream = try RecordStream(try migration.temporary.tree(Self.tree(of: name)), of: transaction)
    while let (old, new) = try stream.next() {
      let isAdded = try new.withUnsafeBytes { new in
        try old.withUnsafeBytes { try cursor.putIfAbsent(new, $0) }
      }
      if !isAdded { throw try duplicate(new, of: name, old: old) }
      part.advance()
    }
    part.finish()
  }

  private func reserveRowIDs(_ count: Int, for table: Table) throws -> Int64 {
    guard table.primaryKey.isEmpty, count > 0 else { return 0 }
    return try migration.writer.reserveRowIDs(Int64(count), for: table).lowerBound
  }

  private func key(of target: Table, in table: Table, old: [UInt8], record: [UInt8]) throws -> [UInt8] {
    var encoder = KeyEncoder()
    try old.withUnsafeBytes { old in
      try record.withUnsafeBytes { bytes in
        let view = try table.view(bytes)
        try view.verifyChecksum(old, of: table)
        for column in target.primaryKey {
          guard let source = table.entry.column(named: column.name) else { continue }
          if stage.isGenerated(source, of: table.name), table.lacks(source, in: view) {
            try ClassDefaults.generated(column.type).withUnsafeBytes {
              try target.appendKeyElement($0, of: column, to: &encoder)
            }
            continue
          }
          try table.payload(of: source, in: view, key: old) {
            try target.appendKeyElement($0, of: column, to: &encoder)
          }
        }
      }
    }
    guard encoder.bytes.count <= ObjectKey.maximumLength else {
      throw FiefError(
        .primaryKeyTooLong,
        "The new primary key is too long for a store.",
        store: migration.configuration.name,
        type: table.name,
        property: target.primaryKey.map(\.name).joined(separator: ", "),
        key: table.text(ofKey: old),
        details: ["the length: \(encoder.bytes.count) bytes, of \(ObjectKey.maximumLength)"]
      )
    }
    return encoder.bytes
  }

  /// Writes each object of a type under its new key, in the order of the new keys.
  func move(_ name: String, with transform: CompletionTransform) throws {
    guard let table = before[name], let records = table.records, let target = after[name] else { return }
    let transaction = migration.writer.transaction
    let part = migration.progress.begin("\(name): moving to new keys", total: try transaction.count(records))
    let isUnordered = unordered.contains(name)
    let tree = isUnordered ? Self.orderTree(of: name) : Self.tree(of: name)
    var stream = try RecordStream(try migration.temporary.tree(tree), of: transaction)
    while let pair = try stream.next() {
      let (old, key) = isUnordered ? (pair.record, pair.key) : (pair.key, pair.record)
      guard let record = try old.withUnsafeBytes({ try transaction.get(records, $0) }) else {
        throw FiefError(.damagedRecord, "An object has lost its record.", type: name)
      }
      let whole = try migration.expanded([UInt8](record), table)
      let new = try transform.object(whole, key: old, type: name)
      try key.withUnsafeBytes { key in
        try new.withUnsafeBytes { try migration.writer.insert(key: key, record: $0, into: target) }
      }
      part.advance()
    }
    part.finish()
  }

  private func duplicate(_ key: [UInt8], of name: String, old: [UInt8]) throws -> FiefError {
    let first = try key.withUnsafeBytes { try migration.temporary.value($0, in: Self.orderTree(of: name)) }
    let properties = after[name]?.primaryKey.map(\.name).joined(separator: ", ") ?? ""
    return FiefError(
      .duplicatePrimaryKey,
      "Two objects have the same new primary key.",
      store: migration.configuration.name,
      type: name,
      property: properties,
      key: after[name]?.text(ofKey: key),
      details: [first ?? [], old].map {
        "old key: " + HiddenValue.text(before[name]?.text(ofKey: $0) ?? "\(ObjectKey(bytes: $0))")
      }
        + ["assign \(properties) in the migration block, with a different value for each object"]
    )
  }
}
