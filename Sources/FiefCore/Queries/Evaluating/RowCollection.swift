import LMDB

/// The elements of a list, a set, a map or an inverse.
class RowCollection {
  /// The type of an element, without a container.
  let type: ColumnType
  /// The table of the elements if they are objects, or `nil` if they are single values.
  let table: Table?

  init(type: ColumnType, table: Table?) {
    self.type = type
    self.table = table
  }

  var cost: Int { 100 }

  /// Whether elements may be nil.
  var hasNil: Bool { type.isOptional }

  /// Returns the number of elements.
  func count(_ row: QueryRow, in environment: QueryEnvironment) throws -> Int { 0 }

  /// Calls `body` with each element until `body` returns false.
  func forEach(
    _ row: QueryRow,
    in environment: QueryEnvironment,
    _ body: (RowValue) throws -> Bool
  ) throws {}
}

/// A collection that is stored in the record.
final class StoredCollection: RowCollection {
  private let operand: RowOperand
  private let stored: ColumnType
  private let part: QueryCollection.Part

  /// - Parameter operand: an operand whose value is the payload.
  init(_ operand: RowOperand, _ stored: ColumnType, part: QueryCollection.Part, table: Table?) {
    self.operand = operand
    self.stored = stored
    self.part = part
    var element = stored
    element.container = .none
    super.init(
      type: part == .keys ? ColumnType(.string) : element,
      table: part == .keys ? nil : table
    )
  }

  override var cost: Int { operand.cost + 50 }

  override func count(_ row: QueryRow, in environment: QueryEnvironment) throws -> Int {
    guard case .collection(let payload) = try operand.evaluate(row, in: environment), !payload.isEmpty else {
      return 0
    }
    return try CollectionPayload.count(payload)
  }

  override func forEach(
    _ row: QueryRow,
    in environment: QueryEnvironment,
    _ body: (RowValue) throws -> Bool
  ) throws {
    guard case .collection(let payload) = try operand.evaluate(row, in: environment), !payload.isEmpty else {
      return
    }
    if CollectionMarker.isMarker(payload) {
      return try forEachRun(of: payload, in: environment) { try forEach($0, count: $1, body) }
    }
    var reader = ValueReader(payload, context: nil)
    let count = try reader.count()
    _ = try forEach(reader.rest, count: count, body)
  }

  /// Calls `body` with the key of each link. The key stays valid until the transaction changes or `flush` is
  /// called.
  func forEachKey(
    _ row: QueryRow,
    in environment: QueryEnvironment,
    _ body: (UnsafeRawBufferPointer) throws -> Void,
    flush: () throws -> Void
  ) throws {
    guard case .collection(let payload) = try operand.evaluate(row, in: environment), !payload.isEmpty else {
      return
    }
    guard !CollectionMarker.isMarker(payload) else {
      return try forEachRun(of: payload, in: environment) { elements, count in
        _ = try forEach(elements, count: count) { value in
          if case .object(_, let key) = value { try body(key) }
          return true
        }
        try flush()
        return true
      }
    }
    try CollectionPayload.forEach(payload, type: stored) { _, key in if let key { try body(key) } }
  }

  /// Calls `body` with runs of the elements of a large collection until `body` returns false.
  private func forEachRun(
    of payload: UnsafeRawBufferPointer,
    in environment: QueryEnvironment,
    _ body: (UnsafeRawBufferPointer, Int) throws -> Bool
  ) throws {
    guard let marker = try CollectionMarker(payload) else { return }
    let large = try LargeCollection.at(
      marker,
      type: stored,
      tables: environment.tables,
      in: environment.transaction
    )
    try large.forEachRun { run in try run.bytes.withUnsafeBytes { try body($0, run.count) } }
  }

  /// - Returns: whether `body` needs more elements.
  private func forEach(_ elements: UnsafeRawBufferPointer, count: Int, _ body: (RowValue) throws -> Bool)
    throws
    -> Bool
  {
    let target = table?.entry.id ?? 0
    var reader = ValueReader(elements, context: nil)
    for _ in 0..<count {
      let key = stored.container == .map ? try reader.sized() : nil
      let element = try CollectionPayload.readElement(of: stored, from: &reader)
      if part == .keys {
        if let key, try !body(.text(key)) { return false }
        continue
      }
      let bytes = try CollectionPayload.value(element, type: stored)
      let value = try bytes.map { try RowValue($0, stored.kind, target: target) } ?? .null
      if try !body(value) { return false }
    }
    return true
  }
}

/// The objects that link to an object.
final class InverseCollection: RowCollection {
  private let object: RowOperand
  private let link: Table.LinkColumn

  /// - Parameters:
  ///   - object: the target of the link.
  ///   - source: the table that has the column `link`.
  init(_ object: RowOperand, _ link: Table.LinkColumn, source: Table) {
    self.object = object
    self.link = link
    super.init(type: ColumnType(.link, target: source.name), table: source)
  }

  override var cost: Int { object.cost + 600 }

  override func count(_ row: QueryRow, in environment: QueryEnvironment) throws -> Int {
    var count = 0
    try forEach(row, in: environment) { _ in
      count += 1
      return true
    }
    return count
  }

  override func forEach(
    _ row: QueryRow,
    in environment: QueryEnvironment,
    _ body: (RowValue) throws -> Bool
  ) throws {
    guard case .object(_, let key) = try object.evaluate(row, in: environment), !key.isEmpty else { return }
    let prefix = CompositeKey.first([UInt8](key))
    let type = table?.entry.id ?? 0
    let cursor = try environment.transaction.cursor(link.backlinks)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      let source =
        cursor.value.isEmpty ? UnsafeRawBufferPointer(rebasing: cursor.key[prefix.count...]) : cursor.value
      if try !body(.object(type, key: source)) { return }
      found = try cursor.next()
    }
  }
}
