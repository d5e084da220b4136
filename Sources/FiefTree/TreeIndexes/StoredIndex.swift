import Fief
import LMDB

/// An index that the store names.
struct StoredIndex {
  let id: Int
  let definition: TreeIndexDefinition
  /// Whether the index has an entry for every child that it orders. Writes keep its entries up to date even
  /// before that.
  let isComplete: Bool
  /// The last place that the build has visited; `nil` at its beginning.
  let position: TreePath?

  /// The numbers of indexes and of their parents. A number outside of the range is damage.
  static let numbers = 1..<Int.max / 2
  private static let building = 0
  private static let complete = 1

  /// Returns the indexes of a store in the order of their ids.
  static func all(_ nodes: TreeNodes) throws -> [StoredIndex] {
    guard let tables = nodes.indexTables, try nodes.transaction.count(tables.definitions.records) > 0 else {
      return []
    }
    var indexes: [StoredIndex] = []
    let cursor = try nodes.transaction.cursor(tables.definitions.records)
    var isFound = try cursor.first()
    while isFound {
      guard let index = try StoredIndex(cursor.key, cursor.value, tables.definitions) else {
        throw nodes.damaged("The definition of an index of a tree is damaged.")
      }
      indexes.append(index)
      isFound = try cursor.next()
    }
    return indexes
  }

  init(id: Int, _ definition: TreeIndexDefinition, isComplete: Bool, position: TreePath? = nil) {
    self.id = id
    self.definition = definition
    self.isComplete = isComplete
    self.position = position
  }

  private init?(_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, _ table: TreeTable) throws {
    var decoder = KeyDecoder(key)
    guard let id = try? decoder.nextInteger(), Self.numbers.contains(Int(id)),
      let order = try table.text("order", of: key, record),
      let state = try table.integer("state", of: key, record),
      (Self.building...Self.complete).contains(state),
      let text = try table.text("position", of: key, record), let position = try? TreePath(text)
    else { return nil }
    let definition: TreeIndexDefinition? =
      if let pattern = try table.text("pattern", of: key, record) {
        try? TreeIndexDefinition(pattern: pattern, on: order)
      } else if let group = try table.text("group", of: key, record) {
        try? TreeIndexDefinition(group: group, on: order)
      } else {
        nil
      }
    guard let definition else { return nil }
    self.id = Int(id)
    self.definition = definition
    isComplete = state == Self.complete
    self.position = position.names.isEmpty ? nil : position
  }

  var key: [UInt8] {
    var encoder = KeyEncoder()
    encoder.append(id)
    return encoder.bytes
  }

  func record(of table: TreeTable) throws -> [UInt8] {
    try table.record { column in
      switch (column, definition.scope) {
      case ("pattern", .pattern(let pattern)): Array(pattern.text.utf8)
      case ("group", .group(let name)): Array(name.utf8)
      case ("order", _): Array((definition.order.text ?? "").utf8)
      case ("state", _): TreeTable.payload(isComplete ? Self.complete : Self.building)
      case ("position", _): Array((position?.text ?? "").utf8)
      default: nil
      }
    }
  }
}
