import FiefCore

/// Checks that the bytes of every column of a record are a value of the column's type.
struct RecordChecker {
  let tables: StoreTables
  let table: Table
  /// The number of embedded objects that enclose the record.
  var depth = 0

  func check(_ view: RecordView) throws {
    for place in view.layout.places {
      let column = view.layout.columns[Int(place.index)]
      do {
        try view.withPayload(place) { payload in
          if let payload { try check(payload, column.type) }
        }
      } catch {
        var error = error as? FiefError ?? FiefError(.damagedRecord, "A value is damaged.", underlying: error)
        error.property = error.property ?? column.name
        throw error
      }
    }
  }

  private func check(_ payload: UnsafeRawBufferPointer, _ type: ColumnType) throws {
    if type.container == .none { return try checkScalar(payload, type) }
    // The elements are in a separate tree, and are checked there.
    if CollectionMarker.isMarker(payload) { return }
    var elementType = type
    elementType.container = .none
    try CollectionPayload.forEach(payload, type: type) { key, element in
      if let key { try checkText(key) }
      if let element { try checkScalar(element, elementType) }
    }
    if try !CollectionPayload.isInOrder(payload, type: type),
      try !CollectionPayload.isInFormerOrder(payload, type: type)
    {
      throw FiefError(
        .damagedRecord,
        type.container == .set
          ? "The elements of a set are out of order or contain a duplicate."
          : "The entries of a map are out of key order or contain a duplicate key."
      )
    }
  }

  /// Checks the elements of a large collection.
  func check(_ run: ElementRun, _ type: ColumnType) throws {
    var elementType = type
    elementType.container = .none
    try run.forEach(type: type) { key, element in
      if let key { try checkText(key) }
      if let value = try CollectionPayload.value(element, type: type) { try checkScalar(value, elementType) }
    }
  }

  private func checkScalar(_ payload: UnsafeRawBufferPointer, _ type: ColumnType) throws {
    switch type.kind {
    case .string: try checkText(payload)
    case .embedded:
      guard let target = type.target.flatMap({ tables[$0] }) else { return }
      // A damaged record could be nested without limit and overflow the stack.
      guard depth < ObjectGraph.deepestEmbedding else { throw RecordView.damaged }
      try RecordChecker(tables: tables, table: target, depth: depth + 1).check(try target.view(payload))
    case .link, .linkingObjects: break
    default: _ = try DynamicPayload.value(payload, type: type)
    }
  }

  private func checkText(_ bytes: UnsafeRawBufferPointer) throws {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw FiefError(.damagedRecord, "A string is not valid UTF-8.")
    }
  }
}
