import Fief
import Foundation

@testable import FiefCore
@testable import LMDB

/// Tables that no store has, with columns of every type, for targets that read bytes alone.
enum FuzzSchema {
  /// A table whose records have three layouts: in the first some columns have earlier types, and others are missing.
  static let table: Table = {
    var entry = TypeEntry(
      id: 7,
      name: "Thing",
      isEmbedded: false,
      tree: "type:7.Thing",
      columns: columns,
      primaryKey: [],
      layouts: [],
      nextColumnID: UInt16(columns.count)
    )
    let ids = columns.filter(\.type.isStored).map(\.id)
    entry.layouts = [ids.filter { $0 % 2 == 0 }, ids.filter { $0 < 12 }, ids]
    return Table(
      entry: entry,
      records: database,
      indexes: [],
      links: columns.filter(\.type.isLink).map { Table.LinkColumn(column: $0, backlinks: database) }
    )
  }()

  /// The type that links and embedded objects of the table have.
  static let part: Table = {
    let columns = [
      ColumnEntry(id: 0, name: "text", type: ColumnType(.string)),
      ColumnEntry(id: 1, name: "part", type: ColumnType(.embedded, isOptional: true, target: "Part")),
      ColumnEntry(id: 2, name: "count", type: ColumnType(.int32)),
    ]
    return Table(
      entry: TypeEntry(
        id: 8,
        name: "Part",
        isEmbedded: true,
        tree: "",
        columns: columns,
        primaryKey: [],
        layouts: [[0, 1, 2]],
        nextColumnID: 3
      ),
      records: nil,
      indexes: [],
      links: []
    )
  }()

  static let tables = StoreTables(
    storeName: "fuzzed",
    catalogueTree: database,
    collections: database,
    all: [table, part]
  )

  /// A tree of no environment: its use is an error.
  static let database = Database(slot: 0, generation: 0, environment: 0)

  private static let columns: [ColumnEntry] = {
    var types: [ColumnType] = []
    for kind in ColumnType.Kind.allCases where kind != .linkingObjects {
      for isOptional in [false, true] { types.append(type(kind, isOptional: isOptional)) }
    }
    for container in [ColumnType.Container.list, .set, .map] {
      for kind in [ColumnType.Kind.int32, .string, .link] {
        types.append(type(kind, isOptional: false, container))
        types.append(type(kind, isOptional: container == .map, container))
      }
    }
    var columns = types.enumerated().map { ColumnEntry(id: UInt16($0), name: "column \($0)", type: $1) }
    for index in columns.indices {
      switch columns[index].type {
      case ColumnType(.int64):
        let zero = [UInt8](repeating: 0, count: 8)
        columns[index].earlier = [EarlierType(kind: .int16, isOptional: true, through: 0, nilPayload: zero)]
      case ColumnType(.double, isOptional: true):
        columns[index].earlier = [EarlierType(kind: .float, isOptional: true, through: 1)]
      case ColumnType(.string): columns[index].defaultPayload = Array("none".utf8)
      default: break
      }
    }
    return columns
  }()

  static func type(
    _ kind: ColumnType.Kind,
    isOptional: Bool,
    _ container: ColumnType.Container = .none
  ) -> ColumnType {
    let target = kind == .link ? "Thing" : kind == .embedded ? "Part" : nil
    return ColumnType(kind, isOptional: isOptional, container: container, target: target)
  }

  /// What a body returns; nil where it throws that the bytes are damaged. Callers of the library get a damaged key as such an error.
  static func unlessDamaged<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try body() } catch let error as FiefError where error.code == .damagedRecord {
      return nil
    } catch is KeyError {
      return nil
    }
  }
}
