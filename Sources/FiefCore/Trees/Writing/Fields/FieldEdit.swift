import LMDB

/// One operation on a property of stored objects, with its operand encoded.
package struct FieldEdit: Sendable {
  package indirect enum Operation: Sendable {
    /// Replace the payload. `nil` sets the property to nil.
    case set([UInt8]?)
    /// Add a number.
    case increment(FieldIncrement)
    /// Set the time of the write.
    case timestamp
    /// Add the elements that a list or a set does not contain yet.
    case union([[UInt8]])
    /// Remove all occurrences of the elements from a list or a set.
    case remove([[UInt8]])
    /// Change a property of an embedded object. `missing` is the record to create if the property is nil; if
    /// `missing` is `nil`, the property stays nil.
    case embedded(FieldEdits, missing: [UInt8]?)
  }

  /// An object that must exist because the operand links to it by its key.
  package struct Target: Sendable {
    package let table: Table
    package let key: [UInt8]

    package init(table: Table, key: [UInt8]) {
      self.table = table
      self.key = key
    }
  }

  package let column: ColumnEntry
  /// The property's name as the caller wrote it.
  package let name: String
  package let operation: Operation
  package var targets: [Target] = []

  package init(column: ColumnEntry, name: String, operation: Operation, targets: [Target] = []) {
    self.column = column
    self.name = name
    self.operation = operation
    self.targets = targets
  }

  /// The approximate number of bytes of the operand.
  var byteCount: Int {
    let operand =
      switch operation {
      case .set(let payload): payload?.count ?? 0
      case .increment, .timestamp: 0
      case .union(let elements), .remove(let elements): elements.reduce(0) { $0 + $1.count }
      case .embedded(let edits, let missing): edits.byteCount + (missing?.count ?? 0)
      }
    return 32 + operand
  }

  /// Whether the operation depends on the previous value.
  var needsValue: Bool {
    switch operation {
    case .set, .timestamp: false
    case .increment, .union, .remove, .embedded: true
    }
  }

  /// Returns the payload after the operation.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` if the operation does not suit the value.
  func payload(after payload: [UInt8]?, in writer: RecordWriter) throws -> [UInt8]? {
    switch operation {
    case .set(let payload): return payload
    case .increment(let increment): return try increment.sum(payload, column.type.kind)
    case .timestamp:
      let time = writer.time().payload(.date)
      // The payload of an `any` value begins with its kind.
      return column.type.kind == .any ? time.map { [ColumnType.Kind.date.rawValue] + $0 } : time
    case .union(let elements): return try elementsUnion(elements, try run(payload, in: writer))
    case .remove(let elements): return try elementsWithout(elements, try run(payload, in: writer))
    case .embedded(let edits, let missing):
      guard let record = payload ?? missing else { return nil }
      return try record.withUnsafeBytes { try edits.applied(to: $0, in: writer, isEmbedded: true) }
    }
  }

  // MARK: Collections

  /// Returns the elements of a collection, which may be large.
  private func run(_ payload: [UInt8]?, in writer: RecordWriter) throws -> ElementRun {
    guard let payload else { return .none }
    return try payload.withUnsafeBytes { payload in
      guard let marker = try CollectionMarker(payload) else { return try ElementRun(payload: payload) }
      let collection = try LargeCollection.at(
        marker,
        type: column.type,
        tables: writer.tables,
        in: writer.transaction
      )
      return try collection.payload().withUnsafeBytes { try ElementRun(payload: $0) }
    }
  }

  private func elementsUnion(_ elements: [[UInt8]], _ run: ElementRun) throws -> [UInt8] {
    var all: [[UInt8]] = []
    try run.forEach(type: column.type) { _, element in all.append([UInt8](element)) }
    var known = Set(all.map { CollectionPayload.identity(of: $0, type: column.type) })
    for element in elements
    where known.insert(CollectionPayload.identity(of: element, type: column.type)).inserted {
      all.append(element)
    }
    return Self.payload(of: all, column.type)
  }

  private func elementsWithout(_ elements: [[UInt8]], _ run: ElementRun) throws -> [UInt8] {
    let gone = Set(elements.map { CollectionPayload.identity(of: $0, type: column.type) })
    var kept: [[UInt8]] = []
    try run.forEach(type: column.type) { _, element in
      let element = [UInt8](element)
      if !gone.contains(CollectionPayload.identity(of: element, type: column.type)) { kept.append(element) }
    }
    return Self.payload(of: kept, column.type)
  }

  /// Returns the payload of a collection with these elements.
  package static func payload(of elements: [[UInt8]], _ type: ColumnType) -> [UInt8] {
    var writer = ValueWriter()
    if type.container == .set {
      CollectionPayload.appendSet(of: elements, type: type, to: &writer)
      return writer.bytes
    }
    writer.appendCount(elements.count)
    for element in elements {
      element.withUnsafeBytes { CollectionPayload.append($0, type: type, to: &writer) }
    }
    return writer.bytes
  }
}
