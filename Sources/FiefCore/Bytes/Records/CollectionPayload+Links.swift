extension CollectionPayload {
  /// Calls `body` with the key of each object that a link column leads to.
  static func forEachLink(
    _ payload: UnsafeRawBufferPointer,
    type: ColumnType,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if type.container == .none { return try body(payload) }
    try forEach(payload, type: type) { _, element in
      if let element { try body(element) }
    }
  }

  /// Returns the number of elements, or 1 for a single link.
  static func count(_ payload: UnsafeRawBufferPointer, type: ColumnType) throws -> Int {
    if type.container == .none { return 1 }
    if payload.isEmpty { return 0 }
    var reader = ValueReader(payload, context: nil)
    return try reader.count()
  }
}
