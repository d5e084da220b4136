import Fief
import LMDB
import Testing

@testable import FiefCore

/// Makes a store as it was written in an earlier format: before format 4 indexes are flags of columns, and
/// their trees have the columns' numbers.
enum OldFormat {
  static func downgrade(_ directory: String, to format: UInt32) throws {
    let environment = try LMDB.Environment.open(directory: directory, options: EnvironmentOptions())
    defer { environment.close() }
    try environment.write { transaction in
      let tree = try transaction.openDatabase(named: Catalogue.treeName)
      let catalogue = try Catalogue.key.withUnsafeBytes { key in
        try Catalogue.decode(try #require(try transaction.get(tree, key)))
      }
      var entries: [String: [(key: [UInt8], value: [UInt8])]] = [:]
      for type in catalogue.types where !type.isEmbedded && format < 4 {
        for index in type.indexes {
          try #require(index.isPlain)
          let old = try #require(try transaction.database(named: type.indexTree(index)))
          var found: [(key: [UInt8], value: [UInt8])] = []
          let cursor = try transaction.cursor(old)
          while try cursor.next() { found.append(([UInt8](cursor.key), [UInt8](cursor.value))) }
          entries["index:\(type.id).\(index.columns[0])"] = found
          try transaction.drop(old)
        }
      }
      for (name, entries) in entries {
        let new = try transaction.openDatabase(named: name)
        for entry in entries {
          try entry.key.withUnsafeBytes { key in
            try entry.value.withUnsafeBytes { try transaction.put(new, key, $0) }
          }
        }
      }
      let bytes = encoded(catalogue, format)
      try Catalogue.key.withUnsafeBytes { key in
        try bytes.withUnsafeBytes { try transaction.put(tree, key, $0) }
      }
    }
  }

  static func encoded(_ catalogue: Catalogue, _ format: UInt32) -> [UInt8] {
    var writer = ValueWriter()
    writer.appendInteger(format)
    writer.appendInteger(catalogue.schemaVersion)
    withUnsafeBytes(of: catalogue.storeID.uuid) { writer.append($0) }
    writer.appendInteger(catalogue.nextTypeID)
    writer.appendCount(catalogue.types.count)
    for type in catalogue.types {
      writer.appendInteger(type.id)
      writer.appendSized { $0.append(type.name) }
      writer.appendInteger(UInt8(type.isEmbedded ? 1 : 0))
      writer.appendSized { $0.append(type.tree) }
      writer.appendCount(type.columns.count)
      for column in type.columns {
        append(column, isIndexed: format < 4 && type.isIndexed(column.id), to: &writer)
      }
      for ids in [type.primaryKey] {
        writer.appendCount(ids.count)
        for id in ids { writer.appendInteger(id) }
      }
      writer.appendCount(type.layouts.count)
      for layout in type.layouts {
        writer.appendCount(layout.count)
        for id in layout { writer.appendInteger(id) }
      }
      writer.appendInteger(type.nextColumnID)
      if format >= 4 { appendIndexes(of: type, to: &writer) }
      // No rules and no derived properties.
      if format >= 5 { for _ in 0..<2 { writer.appendCount(0) } }
    }
    let checksum = writer.withBytes { RecordChecksum.compute($0) }
    writer.appendInteger(checksum)
    return writer.bytes
  }

  private static func appendIndexes(of type: TypeEntry, to writer: inout ValueWriter) {
    writer.appendCount(type.indexes.count)
    for index in type.indexes {
      writer.appendInteger(index.id)
      writer.appendInteger(index.kind.rawValue)
      writer.appendInteger(UInt8((index.isUnique ? 1 : 0) | (index.isCaseInsensitive ? 2 : 0)))
      writer.appendCount(index.columns.count)
      for column in index.columns { writer.appendInteger(column) }
    }
    writer.appendInteger(type.nextIndexID)
  }

  private static func append(_ column: ColumnEntry, isIndexed: Bool, to writer: inout ValueWriter) {
    writer.appendInteger(column.id)
    writer.appendSized { $0.append(column.name) }
    var flags: UInt8 = isIndexed ? 1 : 0
    if column.isDropped { flags |= 2 }
    if column.type.isOptional { flags |= 4 }
    if column.type.target != nil { flags |= 8 }
    if column.originProperty != nil { flags |= 16 }
    if column.defaultPayload != nil { flags |= 32 }
    writer.appendInteger(flags)
    writer.appendInteger(column.type.kind.rawValue)
    writer.appendInteger(column.type.container.rawValue)
    if let target = column.type.target { writer.appendSized { $0.append(target) } }
    if let origin = column.originProperty { writer.appendSized { $0.append(origin) } }
    if let payload = column.defaultPayload { writer.appendSized { $0.append(payload) } }
  }
}
