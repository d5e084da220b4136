import LMDB

extension MigrationObject {
  /// Writes the object in the layout of the new schema if it has unwritten changes.
  func write() throws {
    guard !isOld, keyBytes != nil, state == .added || (state == .stored && !assigned.isEmpty),
      let record = try currentRecord()
    else { return }
    let table = try existingTable()
    let isNew = state == .added
    let stage = try migration.currentStage()
    let written = try key.bytes.withUnsafeBytes { key in
      try record.withUnsafeBytes { bytes in
        let view = try table.view(bytes)
        return try RecordEditor.rewrite(view, table: table, key: key) { column in
          var payload: [UInt8]?
          if let assigned = assigned[column.id] {
            payload = assigned
          } else if !isNew, stage.isGenerated(column, of: typeName), table.lacks(column, in: view) {
            return .set(ClassDefaults.generated(column.type))
          } else if isNew, column.type.isLink {
            try table.payload(of: column, in: view) { payload = $0.map { [UInt8]($0) } }
          } else {
            return .keep
          }
          return .set(try withoutLinksToNothing(payload, column))
        }
      }
    }
    try key.bytes.withUnsafeBytes { key in
      try written.withUnsafeBytes { new in
        if isNew {
          guard try migration.writer.insertIfAbsent(key: key, record: new, into: table) else {
            throw FiefError(
              .duplicatePrimaryKey,
              "An object with the primary key already exists.",
              store: migration.configuration.name,
              type: typeName,
              key: table.text(ofKey: self.key.bytes)
            )
          }
        } else {
          try migration.writer.put(key: key, record: new, into: table)
        }
      }
    }
    didWrite(written)
  }

  /// Returns the record of an embedded object with its assigned values.
  func embeddedRecord(in table: Table) throws -> [UInt8] {
    guard let record = try currentRecord() else { return [] }
    // Records in old layouts remain valid.
    if assigned.isEmpty { return record }
    return try record.withUnsafeBytes { bytes in
      try RecordEditor.rewrite(try table.view(bytes), table: table, withChecksum: false) { column in
        assigned[column.id].map { .set($0) } ?? .keep
      }
    }
  }

  /// Returns the payload without links to objects that were deleted after the assignment.
  private func withoutLinksToNothing(_ payload: [UInt8]?, _ column: ColumnEntry) throws -> [UInt8]? {
    guard column.type.isLink, !WorkingSchema.isPending(column), let payload,
      let target = column.type.target.flatMap({ migration.table($0) })
    else { return payload }
    func isThere(_ key: UnsafeRawBufferPointer) throws -> Bool {
      let key = [UInt8](key)
      // An object may link to itself while it is being created.
      if state == .added, target.name == typeName, key == self.key.bytes { return true }
      return try migration.exists(key, in: target)
    }
    return try payload.withUnsafeBytes { bytes in
      if column.type.container == .none { return try isThere(bytes) ? payload : nil }
      var areAllThere = true
      try CollectionPayload.forEach(bytes, type: column.type) { _, element in
        if let element, areAllThere { areAllThere = try isThere(element) }
      }
      if areAllThere { return payload }
      return try CollectionPayload.mapping(bytes, from: column.type, to: column.type) {
        try isThere($0) ? [UInt8]($0) : nil
      }
    }
  }
}
