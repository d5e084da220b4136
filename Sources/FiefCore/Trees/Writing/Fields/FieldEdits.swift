import LMDB

/// Operations on the properties of objects of one type, in their order.
package struct FieldEdits: Sendable {
  let table: Table
  let edits: [FieldEdit]
  /// The columns that are changed.
  private let columns: ColumnSet
  /// The operations in a form that keeps the length of a record; nil where there is none.
  let patches: [Patch]?

  package init(_ edits: [FieldEdit], of table: Table) {
    self.table = table
    self.edits = edits
    columns = ColumnSet(edits.map(\.column.id))
    patches = table.records == nil ? nil : Self.patches(edits, of: table)
  }

  /// Whether a link may be among the new values.
  var hasLinks: Bool {
    edits.contains { edit in
      if case .embedded(let inner, _) = edit.operation { return inner.hasLinks }
      return edit.column.type.kind == .link
    }
  }

  /// About the number of bytes of the operands.
  var byteCount: Int { edits.reduce(0) { $0 + $1.byteCount } }

  /// The objects that are linked by their keys.
  var targets: [FieldEdit.Target] {
    edits.flatMap { edit in
      if case .embedded(let inner, _) = edit.operation { return inner.targets }
      return edit.targets
    }
  }

  /// The record after the operations.
  ///
  /// - Parameters:
  ///   - key: the object's key; nil for an embedded object.
  ///   - isEmbedded: whether the record is in another one.
  /// - Throws: ``FiefError`` of code `invalidValue` that names the property.
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
  /// The record that is made where there is no object with the key; nil where that is an error.
  package let missing: [UInt8]?

  package init(edits: FieldEdits, key: [UInt8], missing: [UInt8]?) {
    self.edits = edits
    self.key = key
    self.missing = missing
  }

  /// About the number of bytes that it takes in the line of the queue.
  var byteCount: Int { key.count + (missing?.count ?? 0) + edits.byteCount }
}
