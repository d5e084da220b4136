import LMDB

/// Gives the objects of types their new keys.
struct Rekeying {
  let migration: Migration
  let stage: MigrationStage
  let before: StoreTables
  let after: StoreTables

  /// The temporary tree that leads from old keys to new ones.
  static func tree(of type: String) -> String { "keys:\(type)" }

  /// Notes the new key of each object of a type.
  func mapKeys(of name: String) throws {
    guard let table = before[name], let records = table.records, let target = after[name] else { return }
    let transaction = migration.writer.transaction
    let count = try transaction.count(records)
    let part = migration.progress.begin("\(name): making keys", total: count)
    let tree = try migration.temporary.tree(Self.tree(of: name))
    let cursor = try transaction.writeCursor(tree)
    var rowID = try reserveRowIDs(count, for: target)
    var stream = try RecordStream(records, of: transaction)
    while let (old, record) = try stream.next() {
      let new: [UInt8]
      if target.primaryKey.isEmpty {
        new = ObjectKey(rowID: rowID).bytes
        rowID += 1
      } else {
        new = try key(of: target, in: table, old: old, record: record)
      }
      try old.withUnsafeBytes { old in try new.withUnsafeBytes { try cursor.put(old, $0) } }
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
        try view.verifyChecksum()
        for column in target.primaryKey {
          guard let source = table.entry.column(named: column.name) else { continue }
          if stage.isGenerated(source, of: table.name), table.lacks(source, in: view) {
            try ClassDefaults.generated(column.type).withUnsafeBytes {
              try KeyCoding.append($0, kind: column.type.kind, to: &encoder)
            }
            continue
          }
          try table.payload(of: source, in: view, key: old) {
            try KeyCoding.append($0, kind: column.type.kind, to: &encoder)
          }
        }
      }
    }
    guard encoder.bytes.count <= ObjectKey.maximumLength else {
      throw FiefError(
        .primaryKeyTooLong,
        "The new primary key is longer than a store can keep.",
        store: migration.configuration.name,
        type: table.name,
        property: target.primaryKey.map(\.name).joined(separator: ", "),
        key: ObjectKey(bytes: old).description,
        details: ["the length: \(encoder.bytes.count) bytes, of \(ObjectKey.maximumLength)"]
      )
    }
    return encoder.bytes
  }

  /// Writes each object of a type under its new key.
  ///
  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey` where two objects have the same.
  func move(_ name: String, with transform: CompletionTransform) throws {
    guard let table = before[name], let records = table.records, let target = after[name] else { return }
    let transaction = migration.writer.transaction
    let part = migration.progress.begin("\(name): moving to new keys", total: try transaction.count(records))
    var stream = try RecordStream(records, of: transaction)
    while let (old, record) = try stream.next() {
      let new = try transform.object(record, key: old, type: name)
      guard let key = try old.withUnsafeBytes({ try migration.temporary.value($0, in: Self.tree(of: name)) })
      else { throw FiefError(.damagedRecord, "An object has lost its key.", type: name) }
      let isAdded = try key.withUnsafeBytes { key in
        try new.withUnsafeBytes { try migration.writer.insertIfAbsent(key: key, record: $0, into: target) }
      }
      if !isAdded { throw try duplicate(key, of: name, old: old) }
      part.advance()
    }
    part.finish()
  }

  private func duplicate(_ key: [UInt8], of name: String, old: [UInt8]) throws -> FiefError {
    var stream = try RecordStream(
      try migration.temporary.tree(Self.tree(of: name)),
      of: migration.writer.transaction
    )
    var keys: [String] = []
    while keys.isEmpty, let (first, new) = try stream.next() {
      if new == key, first != old { keys.append(ObjectKey(bytes: first).description) }
    }
    keys.append(ObjectKey(bytes: old).description)
    let properties = after[name]?.primaryKey.map(\.name).joined(separator: ", ") ?? ""
    return FiefError(
      .duplicatePrimaryKey,
      "Two objects have the same new primary key.",
      store: migration.configuration.name,
      type: name,
      property: properties,
      key: ObjectKey(bytes: key).description,
      details: keys.map { "old key: \($0)" }
        + ["assign \(properties) in the migration block, a different value for each object"]
    )
  }
}
