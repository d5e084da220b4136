import LMDB

/// What becomes of links to objects that do not exist.
package enum DynamicLinkPolicy {
  /// The put is refused.
  case mustExist
  /// They are left out, and counted.
  case leaveOut((_ typeName: String, _ property: String) -> Void)
}

extension DynamicTransaction {
  /// Puts an object that is one line of JSON.
  ///
  /// - Parameter line: whole; valid during the call.
  package func put(
    _ typeName: String,
    line: UnsafeRawBufferPointer,
    conflict: DynamicConflict,
    links: DynamicLinkPolicy,
    onlyLinks: Bool = false
  ) throws -> DynamicPut {
    guard let object = try JSONText.parse(line) as? JSONObject else {
      throw FiefError(.invalidValue, "A JSON object is expected.", store: tables.storeName, type: typeName)
    }
    var members = object.members
    if let named = object[Self.typeName] {
      guard named as? String == typeName else {
        throw FiefError(
          .invalidValue,
          "The object is of another type.",
          store: tables.storeName,
          type: typeName,
          details: ["its $type: \(named)"]
        )
      }
      members.removeAll { $0.name == Self.typeName }
    }
    return try put(typeName, members, jsonConversion(typeName), conflict: conflict, links, onlyLinks)
  }

  /// Puts an object whose values are the cells of a row.
  package func put(
    _ typeName: String,
    cells: [(name: String, cell: CSVCell)],
    conflict: DynamicConflict,
    links: DynamicLinkPolicy,
    onlyLinks: Bool = false
  ) throws -> DynamicPut {
    let table = try table(typeName)
    let conversion = jsonConversion(typeName)
    var members: [JSONObject.Member] = []
    for (name, cell) in cells {
      if name == Self.rowIDName {
        if cell.isNil { continue }
        members.append(JSONObject.Member(name: name, value: JSONText.number(cell.text) ?? cell.text))
        continue
      }
      let conversion = conversion.property(name, of: typeName)
      guard let column = table.entry.column(named: name) else {
        throw conversion.error(.unknownProperty, "The type has no such property.")
      }
      do {
        members.append(JSONObject.Member(name: name, value: try cell.value(column.type, tables, conversion)))
      } catch {
        throw FiefError.described(error, property: name, type: typeName, store: tables.storeName)
      }
    }
    return try put(typeName, members, conversion, conflict: conflict, links, onlyLinks)
  }

  private func jsonConversion(_ typeName: String) -> ValueConversion {
    var conversion = conversion(typeName)
    conversion.source = .json(.default)
    return conversion
  }

  func put(
    _ typeName: String,
    _ members: [JSONObject.Member],
    _ conversion: ValueConversion,
    conflict: DynamicConflict,
    links: DynamicLinkPolicy
  ) throws -> DynamicPut {
    try put(typeName, members, conversion, conflict: conflict, links, false)
  }

  /// - Parameter onlyLinks: whether the object exists, and only its links and embedded objects are written.
  private func put(
    _ typeName: String,
    _ given: [JSONObject.Member],
    _ conversion: ValueConversion,
    conflict: DynamicConflict,
    _ links: DynamicLinkPolicy,
    _ onlyLinks: Bool
  ) throws -> DynamicPut {
    let (table, records) = try records(of: typeName)
    var members = given
    let rowID = members.first { $0.name == Self.rowIDName }?.value
    if rowID != nil { members.removeAll { $0.name == Self.rowIDName } }
    if onlyLinks { members.removeAll { !isLinking($0.name, table) } }
    do {
      let key = try key(of: table, members, rowID: rowID, conversion)
      var conversion = conversion
      conversion.key = key.map { DynamicKey.text(of: $0, table) }
      let stored = try key.flatMap { key in
        try key.withUnsafeBytes { try transaction.get(records, $0).map { [UInt8]($0) } }
      }
      if let stored, let key {
        return try change(table, key, stored, members, conversion, conflict, encoder(table, key, links))
      }
      return try insert(table, key, members, conversion, encoder(table, key, links))
    } catch {
      throw FiefError.described(error, store: tables.storeName, type: typeName)
    }
  }

  private func isLinking(_ name: String, _ table: Table) -> Bool {
    guard let column = table.entry.column(named: name) else { return false }
    return column.type.kind == .link || column.type.kind == .embedded
      || table.entry.primaryKey.contains(column.id)
  }

  /// The key that the values give; nil for a new object of a type without a primary key.
  private func key(
    of table: Table,
    _ members: [JSONObject.Member],
    rowID: Any?,
    _ conversion: ValueConversion
  ) throws -> [UInt8]? {
    guard !table.primaryKey.isEmpty else {
      return try rowID.map { try DynamicKey.key(of: table, parts: [$0], conversion) }
    }
    if rowID != nil {
      throw conversion.property(Self.rowIDName, of: table.name)
        .error(.unknownProperty, "The type has a primary key and no numbers.")
    }
    let parts = try table.primaryKey.map { column -> Any? in
      if let member = members.first(where: { $0.name == column.name }) { return member.value }
      switch column.type.kind {
      case _ where column.type.isOptional: return nil
      case .uuid, .objectId:
        return try DynamicEncoder.unset(column.type)
          .flatMap { payload in
            try payload.withUnsafeBytes { try DynamicPayload.value($0, type: column.type) }
          }
      default:
        throw conversion.property(column.name, of: table.name)
          .error(.missingPrimaryKey, "The primary key has no value.")
      }
    }
    return try DynamicKey.key(of: table, parts: parts, conversion)
  }

  private func encoder(_ table: Table, _ own: [UInt8]?, _ links: DynamicLinkPolicy) -> DynamicEncoder {
    DynamicEncoder(tables: tables) { [transaction] target, key, conversion in
      if target === table, key == own { return true }
      if let records = target.records,
        try key.withUnsafeBytes({ try transaction.get(records, $0) }) != nil
      {
        return true
      }
      switch links {
      case .leaveOut(let note):
        note(target.name, conversion.property ?? "")
        return false
      case .mustExist:
        throw conversion.error(
          .objectNotFound,
          "The link leads to an object that does not exist.",
          details: ["the object: \(target.name) \(DynamicKey.text(of: key, target))"]
        )
      }
    }
  }

  private func change(
    _ table: Table,
    _ key: [UInt8],
    _ stored: [UInt8],
    _ members: [JSONObject.Member],
    _ conversion: ValueConversion,
    _ conflict: DynamicConflict,
    _ encoder: DynamicEncoder
  ) throws -> DynamicPut {
    let objectKey = ObjectKey(bytes: key)
    // Wrong values are refused whatever becomes of them.
    let payloads = try encoder.payloads(of: members, table, conversion)
    let record: [UInt8]
    switch conflict {
    case .error: throw conversion.error(.duplicatePrimaryKey, "An object with the key exists.")
    case .skip: return DynamicPut(key: objectKey, outcome: .skipped)
    case .replace: record = try encoder.record(of: table, payloads, isEmbedded: false)
    case .merge:
      record = try stored.withUnsafeBytes { bytes in
        let view = try table.view(bytes)
        try view.verifyChecksum()
        return try RecordEditor.rewrite(view, table: table) { column in
          payloads[column.id].map { .set($0) } ?? .keep
        }
      }
    }
    try key.withUnsafeBytes { key in
      try record.withUnsafeBytes { try writer.put(key: key, record: $0, into: table) }
    }
    return DynamicPut(key: objectKey, outcome: conflict == .merge ? .merged : .replaced)
  }

  private func insert(
    _ table: Table,
    _ given: [UInt8]?,
    _ members: [JSONObject.Member],
    _ conversion: ValueConversion,
    _ encoder: DynamicEncoder
  ) throws -> DynamicPut {
    let payloads = try encoder.payloads(of: members, table, conversion)
    let record = try encoder.record(of: table, payloads, isEmbedded: false)
    let key: [UInt8]
    if let given {
      key = given
      if table.primaryKey.isEmpty { try claim(rowID: given, table, conversion) }
    } else {
      key = ObjectKey(rowID: try writer.reserveRowIDs(1, for: table).lowerBound).bytes
    }
    try key.withUnsafeBytes { key in
      try record.withUnsafeBytes { try writer.insert(key: key, record: $0, into: table) }
    }
    return DynamicPut(key: ObjectKey(bytes: key), outcome: .inserted)
  }

  /// Keeps a row id from being given out again.
  private func claim(rowID key: [UInt8], _ table: Table, _ conversion: ValueConversion) throws {
    let id = try key.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      return try decoder.nextInteger()
    }
    let next = try RecordWriter.nextRowID(of: table, tree: tables.catalogueTree, in: transaction)
    let count = id.subtractingReportingOverflow(next)
    guard !count.overflow, count.partialValue >= 0, id < Int64.max / 2 else {
      throw conversion.error(
        .invalidValue,
        "The number was given out before, and another process may be about to use it.",
        details: ["numbers from \(next) on are free", "without a number the object gets a new one"]
      )
    }
    _ = try writer.reserveRowIDs(count.partialValue + 1, for: table)
  }
}

extension FiefError {
  fileprivate static func described(
    _ error: any Error,
    property: String,
    type: String,
    store: String
  ) -> any Error {
    guard var error = described(error, store: store, type: type) as? FiefError else { return error }
    error.property = error.property ?? property
    return error
  }
}
