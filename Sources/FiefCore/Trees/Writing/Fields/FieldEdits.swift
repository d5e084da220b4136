import LMDB

/// Operations on the properties of objects of one type, in their order.
package struct FieldEdits: Sendable {
  let table: Table
  let edits: [FieldEdit]
  /// The columns that the operations change.
  private let columns: ColumnSet
  /// The operations as patches that keep a record's length, or `nil` if an operation may change the length.
  let patches: [Patch]?

  package init(_ edits: [FieldEdit], of table: Table) {
    self.table = table
    self.edits = edits
    columns = ColumnSet(edits.map(\.column.id))
    patches = table.records == nil ? nil : Self.patches(edits, of: table)
  }

  /// Whether a new value may contain a link.
  var hasLinks: Bool {
    edits.contains { edit in
      if case .embedded(let inner, _) = edit.operation { return inner.hasLinks }
      return edit.column.type.kind == .link
    }
  }

  /// The approximate number of bytes of the operands.
  var byteCount: Int { edits.reduce(0) { $0 + $1.byteCount } }

  /// The objects to which the new values link by their keys, with the names of the properties.
  var targets: [(property: String, target: FieldEdit.Target)] {
    edits.flatMap { edit in
      if case .embedded(let inner, _) = edit.operation { return inner.targets }
      return edit.targets.map { (edit.name, $0) }
    }
  }

  /// Returns the record after the operations.
  ///
  /// - Parameters:
  ///   - key: The object's key, or `nil` for an embedded object.
  ///   - isEmbedded: Whether the record is part of another record.
  /// - Throws: ``FiefError`` of code `invalidValue` with the name of the property.
  func applied(
    to record: UnsafeRawBufferPointer,
    key: UnsafeRawBufferPointer? = nil,
    in writer: RecordWriter,
    isEmbedded: Bool = false
  ) throws -> [UInt8] {
    let view = try table.view(record)
    if !isEmbedded, let patched = try patched(view, in: writer) { return patched }
    return try RecordEditor.rewrite(view, table: table, key: key, withChecksum: !isEmbedded) { column in
      guard columns.contains(column.id) else { return .keep }
      return .set(try payload(of: column, in: view, key, writer))
    }
  }

  private func payload(
    of column: ColumnEntry,
    in view: RecordView,
    _ key: UnsafeRawBufferPointer?,
    _ writer: RecordWriter
  ) throws -> [UInt8]? {
    var payload: [UInt8]?
    var isRead = false
    for edit in edits where edit.column.id == column.id {
      if edit.needsValue, !isRead {
        try table.payload(of: column, in: view, key: key) { payload = $0.map { [UInt8]($0) } }
      }
      isRead = true
      do { payload = try edit.payload(after: payload, in: writer) } catch var error as FiefError {
        error.property = error.property ?? edit.name
        throw error
      }
    }
    return payload
  }
}

/// Operations on the properties of one object.
package struct ObjectEdit: Sendable {
  package let edits: FieldEdits
  package let key: [UInt8]
  /// The record to create if no object has the key; `nil` if a missing object is an error.
  package let missing: [UInt8]?

  package init(edits: FieldEdits, key: [UInt8], missing: [UInt8]?) {
    self.edits = edits
    self.key = key
    self.missing = missing
  }

  /// The approximate size of the operations in bytes, which counts against the limits of the write queue.
  var byteCount: Int { key.count + (missing?.count ?? 0) + edits.byteCount }
}
