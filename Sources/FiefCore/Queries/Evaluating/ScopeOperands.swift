/// The subject of a scope as an object: its type and key, or its record if it is embedded.
final class SelfOperand: RowOperand {
  private let isEmbedded: Bool

  init(_ table: Table) {
    isEmbedded = table.entry.isEmbedded
    super.init(kind: isEmbedded ? .embedded : .link, target: table.entry.id)
  }

  override var cost: Int { 1 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    isEmbedded ? .embedded(row.view.bytes) : .object(target, key: row.key)
  }
}

/// The subject of a scope if it is an element that is a single value.
final class ElementOperand: RowOperand {
  private let depth: Int

  init(_ depth: Int, _ type: ColumnType) {
    self.depth = depth
    super.init(kind: type.kind)
  }

  override var cost: Int { 2 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    environment.frame(depth).pointee.element
  }
}

/// An operand that is evaluated on the row of an outer scope.
final class OuterOperand: RowOperand {
  private let operand: RowOperand
  private let depth: Int

  init(_ operand: RowOperand, depth: Int) {
    self.operand = operand
    self.depth = depth
    super.init(kind: operand.kind, target: operand.target)
  }

  override var secret: RowColumn? { operand.secret }
  override var cost: Int { operand.cost + 2 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    guard let outer = environment.frame(depth).pointee.row else { return .null }
    return try operand.evaluate(outer, in: environment)
  }
}

/// The value of a key in a map.
final class MapValueOperand: RowOperand {
  private let map: RowOperand
  private let type: ColumnType
  private let key: StableBytes

  init(_ map: RowOperand, _ type: ColumnType, key: String, target: UInt32) {
    self.map = map
    self.type = type
    self.key = StableBytes(key.utf8)
    super.init(kind: type.kind, target: target)
  }

  override var secret: RowColumn? { map.secret }
  override var cost: Int { map.cost + 40 }

  override func evaluate(_ row: QueryRow, in environment: QueryEnvironment) throws -> RowValue {
    guard case .collection(let payload) = try map.evaluate(row, in: environment) else { return .null }
    if let marker = try CollectionMarker(payload) { return try value(in: marker, environment) }
    var value = RowValue.null
    try CollectionPayload.forEach(payload, type: type) { key, element in
      guard let key, key.hasSameBytes(as: self.key.bytes) else { return }
      value = try element.map { try RowValue($0, type.kind, target: target) } ?? .null
    }
    return value
  }

  private func value(in marker: CollectionMarker, _ environment: QueryEnvironment) throws -> RowValue {
    let large = try LargeCollection.at(
      marker,
      type: type,
      tables: environment.tables,
      in: environment.transaction
    )
    guard let entries = large as? LargeTable else { throw RecordView.damaged }
    return try entries.withElement(of: key.bytes) { element in
      guard let element else {
        _ = try entries.existingCount()
        return .null
      }
      guard let value = try CollectionPayload.value(element, type: type) else { return .null }
      return try RowValue(value, type.kind, target: target)
    }
  }
}
