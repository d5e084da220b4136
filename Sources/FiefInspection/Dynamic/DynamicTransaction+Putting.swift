import FiefCore
import LMDB

/// A policy that determines how links to objects that do not exist are handled.
package enum DynamicLinkPolicy {
  /// Inserts an object that is written inline in the link; otherwise rejects the put.
  case mustExist
  /// Omits such links, and calls the closure for each with the property and the target's key.
  case leaveOut((_ property: String, _ target: String) -> Void)
  /// Inserts objects that are written inline in links, and calls `inserted` for each. Omits other links, and
  /// calls `missing` for each.
  case insert(inserted: () -> Void, missing: (_ property: String, _ target: String) -> Void)
}

/// The values of an object that is put, and how they are put.
private struct GivenValues {
  var members: [JSONObject.Member]
  var conversion: ValueConversion
  let conflict: DynamicConflict
  let links: DynamicLinkPolicy
  /// The key of the object whose links and embedded objects alone are written.
  let linked: ObjectKey?

  init(
    _ members: [JSONObject.Member],
    _ conversion: ValueConversion,
    conflict: DynamicConflict,
    _ links: DynamicLinkPolicy,
    _ linked: ObjectKey?
  ) {
    self.members = members
    self.conversion = conversion
    self.conflict = conflict
    self.links = links
    self.linked = linked
  }
}

extension DynamicTransaction {
  /// Writes an object that is given as one line of JSON.
  ///
  /// - Parameters:
  ///   - typeName: the type's name, or `nil` if the line names it.
  ///   - line: the whole line, which is valid during the call.
  ///   - conflict: determines what happens if an object with the key exists.
  ///   - links: determines how links to objects that do not exist are handled.
  ///   - linksOf: the key of a stored object, if only its links and embedded objects are written.
  package func put(
    _ typeName: String?,
    line: UnsafeRawBufferPointer,
    conflict: DynamicConflict,
    links: DynamicLinkPolicy,
    linksOf: ObjectKey? = nil
  ) throws -> (typeName: String, put: DynamicPut) {
    let (name, members) = try members(ofType: typeName, line: line)
    let values = GivenValues(members, jsonConversion(name), conflict: conflict, links, linksOf)
    return (name, try put(name, values))
  }

  /// Writes an object whose values are given as the cells of a row.
  package func put(
    _ typeName: String,
    cells: [(name: String, cell: CSVCell)],
    conflict: DynamicConflict,
    links: DynamicLinkPolicy,
    linksOf: ObjectKey? = nil
  ) throws -> DynamicPut {
    let members = try members(ofType: typeName, cells: cells)
    return try put(
      typeName,
      GivenValues(members, jsonConversion(typeName), conflict: conflict, links, linksOf)
    )
  }

  func put(
    _ typeName: String,
    _ members: [JSONObject.Member],
    _ conversion: ValueConversion,
    conflict: DynamicConflict,
    links: DynamicLinkPolicy
  ) throws -> DynamicPut {
    try put(typeName, GivenValues(members, conversion, conflict: conflict, links, nil))
  }

  private func put(_ typeName: String, _ given: GivenValues) throws -> DynamicPut {
    let (table, records) = try records(of: typeName)
    var values = given
    let rowID = values.members.first { $0.name == Self.rowIDName }?.value
    if rowID != nil { values.members.removeAll { $0.name == Self.rowIDName } }
    if values.linked != nil { values.members.removeAll { !isLinking($0.name, table) } }
    for member in values.members where table.entry.column(named: member.name) == nil {
      throw values.conversion.unknownProperty(member.name, of: table)
    }
    if hasObjectsInLinks(values, table) {
      // Either all of the objects are written, or none.
      return try nested { try $0.put(table, records, values, rowID: rowID) }
    }
    return try put(table, records, values, rowID: rowID)
  }

  /// Whether writing the values may also insert other objects.
  private func hasObjectsInLinks(_ values: GivenValues, _ table: Table) -> Bool {
    if case .leaveOut = values.links { return false }
    return values.members.contains { member in
      guard isLinking(member.name, table) else { return false }
      return member.value is JSONObject || (member.value as? [Any])?.contains { $0 is JSONObject } ?? false
    }
  }

  private func put(
    _ table: Table,
    _ records: Database,
    _ given: GivenValues,
    rowID: Any?
  ) throws -> DynamicPut {
    do {
      var values = given
      let key = try given.linked?.bytes ?? key(of: table, given.members, rowID: rowID, given.conversion)
      values.conversion.key = key.map { DynamicKey.shownText(of: $0, table) }
      let stored = try key.flatMap { key in
        try key.withUnsafeBytes { try transaction.get(records, $0).map { [UInt8]($0) } }
      }
      if let stored, let key { return try change(table, key, stored, values) }
      return try insert(table, key, values)
    } catch {
      throw FiefError.described(error, store: tables.storeName, type: table.name)
    }
  }

  private func isLinking(_ name: String, _ table: Table) -> Bool {
    guard let column = table.entry.column(named: name) else { return false }
    return column.type.kind == .link || column.type.kind == .embedded
  }

  private func encoder(_ table: Table, _ own: [UInt8]?, _ links: DynamicLinkPolicy) -> DynamicEncoder {
    DynamicEncoder(tables: tables, declared: declared) { [transaction] target, key, object, conversion in
      if target === table, key == own { return true }
      if let records = target.records,
        try key.withUnsafeBytes({ try transaction.get(records, $0) }) != nil
      {
        return true
      }
      switch links {
      case .mustExist where object != nil, .insert where object != nil:
        guard let object else { return false }
        return try self.insert(object, target, conversion, links)
      case .leaveOut(let note), .insert(_, let note):
        note(conversion.property ?? "", "\(target.name) \(DynamicKey.shownText(of: key, target))")
        return false
      case .mustExist:
        throw conversion.error(
          .objectNotFound,
          "The link leads to an object that does not exist.",
          details: [
            "the object: \(target.name) " + HiddenValue.text("\(DynamicKey.shownText(of: key, target))")
          ]
        )
      }
    }
  }

  /// Inserts an object that is written inline in a link.
  private func insert(
    _ object: JSONObject,
    _ target: Table,
    _ conversion: ValueConversion,
    _ links: DynamicLinkPolicy
  ) throws -> Bool {
    guard conversion.depth < ObjectGraph.deepestEmbedding else { throw conversion.embeddedTooDeeply }
    var inner = jsonConversion(target.name)
    inner.path = conversion.path
    inner.depth = conversion.depth + 1
    _ = try put(target.name, GivenValues(object.members, inner, conflict: .skip, links, nil))
    if case .insert(let inserted, _) = links { inserted() }
    return true
  }

  private func change(
    _ table: Table,
    _ key: [UInt8],
    _ stored: [UInt8],
    _ values: GivenValues
  ) throws -> DynamicPut {
    let objectKey = ObjectKey(bytes: key)
    let encoder = encoder(table, key, values.links)
    // All values are encoded first, so that invalid values are rejected even if they are not written.
    let payloads = try encoder.payloads(of: values.members, table, values.conversion)
    let record: [UInt8]
    switch values.conflict {
    case .error: throw values.conversion.error(.duplicatePrimaryKey, "An object with the key already exists.")
    case .skip: return DynamicPut(key: objectKey, outcome: .skipped)
    case .replace: record = try encoder.record(of: table, payloads, isEmbedded: false)
    case .merge:
      record = try stored.withUnsafeBytes { bytes in
        let view = try table.view(bytes)
        try key.withUnsafeBytes { try view.verifyChecksum($0, of: table) }
        return try RecordEditor.rewrite(view, table: table) { column in
          payloads[column.id].map { .set($0) } ?? .keep
        }
      }
    }
    try key.withUnsafeBytes { key in
      try record.withUnsafeBytes { try writer.put(key: key, record: $0, into: table) }
    }
    return DynamicPut(key: objectKey, outcome: values.conflict == .merge ? .merged : .replaced)
  }

  private func insert(_ table: Table, _ given: [UInt8]?, _ values: GivenValues) throws -> DynamicPut {
    let encoder = encoder(table, given, values.links)
    let payloads = try encoder.payloads(of: values.members, table, values.conversion)
    let record = try encoder.record(of: table, payloads, isEmbedded: false)
    let key: [UInt8]
    if let given {
      key = given
      if table.primaryKey.isEmpty { try claim(rowID: given, table, values.conversion) }
    } else {
      key = ObjectKey(rowID: try writer.reserveRowIDs(1, for: table).lowerBound).bytes
    }
    try key.withUnsafeBytes { key in
      try record.withUnsafeBytes { try writer.insert(key: key, record: $0, into: table) }
    }
    return DynamicPut(key: ObjectKey(bytes: key), outcome: .inserted)
  }

  /// Reserves a row id, so that the store does not assign it again.
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
        "The number was assigned before, and another process may be about to use it.",
        details: ["numbers from \(next) are free", "omit the number to get a new number"]
      )
    }
    _ = try writer.reserveRowIDs(count.partialValue + 1, for: table)
  }
}

extension ValueConversion {
  /// Returns the error for the name of a property that the type does not have. The error suggests the most
  /// similar name.
  func unknownProperty(_ name: String, of table: Table) -> FiefError {
    let nearest = NearestName.find(name, in: table.entry.currentColumns.map(\.name))
    return property(name, of: table.name).error(
      .unknownProperty,
      "The type has no such property.",
      details: nearest.map { ["did you mean '\($0)'?"] } ?? []
    )
  }
}
