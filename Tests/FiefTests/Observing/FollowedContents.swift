import Fief
import Foundation
import LMDB

@testable import FiefCore

/// All values of a store, for comparisons: read in the simplest way.
struct FollowedContents {
  /// The values by type, key and column; a value is nil, or a run of elements.
  private(set) var objects: [String: [ObjectKey: [UInt16: [[UInt8]]?]]] = [:]

  init(_ tables: StoreTables, _ transaction: LMDB.Transaction) throws {
    for table in tables.all {
      guard let records = table.records else { continue }
      var all: [ObjectKey: [UInt16: [[UInt8]]?]] = [:]
      let cursor = try transaction.cursor(records)
      var found = try cursor.first()
      while found {
        let view = try table.view(cursor.value)
        var values: [UInt16: [[UInt8]]?] = [:]
        for column in table.currentLayout.columns {
          var value: [[UInt8]]?
          try table.payload(of: column, in: view) {
            value = try $0.map { try Self.elements($0, column.type, tables, transaction) }
          }
          if column.type.container != .none, value == nil { value = [] }
          values.updateValue(value, forKey: column.id)
        }
        all[ObjectKey(cursor.key)] = values
        found = try cursor.next()
      }
      objects[table.name] = all
    }
  }

  private static func elements(
    _ payload: UnsafeRawBufferPointer,
    _ type: ColumnType,
    _ tables: StoreTables,
    _ transaction: LMDB.Transaction
  ) throws -> [[UInt8]] {
    guard type.container != .none else { return [[UInt8](payload)] }
    var elements: [[UInt8]] = []
    func take(_ run: ElementRun) throws {
      try run.forEach(type: type) {
        elements.append([UInt8]($0 ?? UnsafeRawBufferPointer(start: nil, count: 0)) + [0] + [UInt8]($1))
      }
    }
    if let marker = try CollectionMarker(payload) {
      try LargeCollection.at(marker, type: type, tables: tables, in: transaction).forEachRun {
        try take($0)
        return true
      }
    } else {
      try take(try ElementRun(payload: payload))
    }
    return type.container == .list ? elements : elements.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The change of each object of a type, and the columns that differ.
  func changes(_ type: String, to later: FollowedContents) -> (
    inserted: Set<ObjectKey>, deleted: Set<ObjectKey>, modified: [ObjectKey: ColumnSet]
  ) {
    let (before, after) = (objects[type] ?? [:], later.objects[type] ?? [:])
    var modified: [ObjectKey: ColumnSet] = [:]
    for (key, old) in before {
      guard let new = after[key] else { continue }
      let columns = old.filter { $0.value != new[$0.key].flatMap { $0 } }.map(\.key)
      if !columns.isEmpty { modified[key] = ColumnSet(columns) }
    }
    return (
      Set(after.keys).subtracting(before.keys), Set(before.keys).subtracting(after.keys), modified
    )
  }
}
