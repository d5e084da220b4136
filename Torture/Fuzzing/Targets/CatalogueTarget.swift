import Fief

@testable import FiefCore
@testable import FiefInspection
@testable import LMDB

extension FuzzTarget {
  /// Catalogues, with a checksum that is made right: one that is read is written as one that is equal, and tables, layouts and
  /// rules are made of it.
  static let catalogue = FuzzTarget(
    name: "catalogue",
    longest: 2000,
    seeds: {
      var catalogue = Catalogue(schemaVersion: 3)
      let columns = [
        ColumnEntry(id: 0, name: "id", type: ColumnType(.int64)),
        ColumnEntry(id: 1, name: "name", type: ColumnType(.string)),
        ColumnEntry(id: 2, name: "things", type: ColumnType(.link, container: .list, target: "Thing")),
        ColumnEntry(id: 3, name: "count", type: ColumnType(.int64)),
      ]
      var entry = TypeEntry(
        id: 1,
        name: "Thing",
        isEmbedded: false,
        tree: "type:1.Thing",
        columns: columns,
        primaryKey: [0],
        layouts: [[1, 2, 3]],
        nextColumnID: 4
      )
      entry.indexes = [IndexEntry(id: 1, columns: [1])]
      entry.nextIndexID = 2
      catalogue.types = [entry]
      catalogue.nextTypeID = 2
      entry.relationships = [
        RelationshipEntry(column: 2, deleteRule: .cascade, minimum: 1, maximum: 5, isRequired: true)
      ]
      entry.derived = [DerivedEntry(column: 3, kind: .count, source: 2)]
      var ruled = catalogue
      ruled.types = [entry]
      return [catalogue, ruled].map { Array($0.encoded().dropLast(RecordChecksum.size)) }
    },
    run: { input, defect in
      let body = [UInt8](input)
      let sum = RecordChecksum.compute(input)
      let bytes = body + withUnsafeBytes(of: sum.littleEndian) { [UInt8]($0) }
      let codes: [FiefError.Code] = [.damagedStore, .damagedRecord, .formatTooNew, .formatTooOld]
      do { _ = try bytes.withUnsafeBytes { try Catalogue.decode($0) } } catch let error as FiefError
        where codes.contains(error.code)
      { return }
      var catalogue = try bytes.withUnsafeBytes { try Catalogue.decode($0) }
      let written = catalogue.encoded()
      // An optional column is read as one that is never nil.
      if defect.isPlanted, !catalogue.types.isEmpty {
        for index in catalogue.types[0].columns.indices {
          catalogue.types[0].columns[index].type.isOptional = false
        }
      }
      var again = try written.withUnsafeBytes { try Catalogue.decode($0) }
      // An older format is written as the oldest that can have its contents.
      try require(
        again.format >= catalogue.format,
        "format \(catalogue.format) is written as \(again.format)"
      )
      again.format = catalogue.format
      try require(again == catalogue, "another catalogue: \(body.hex)")
      try CatalogueChecks.makeTables(of: catalogue)
    }
  )
}

private enum CatalogueChecks {
  static func makeTables(of catalogue: Catalogue) throws {
    // A table has a layout for each version, and each has room for the numbers of all columns.
    guard catalogue.types.reduce(0, { $0 + $1.layouts.count }) < 200 else { return }
    let tables = catalogue.types.map { entry in
      StoreOpening.table(for: entry, cipher: nil) { _ in FuzzSchema.database }
    }
    let store = StoreTables(
      storeName: "fuzzed",
      catalogueTree: FuzzSchema.database,
      collections: nil,
      all: tables,
      format: catalogue.format
    )
    for table in store.all {
      _ = DynamicType(table)
      _ = store.rules(of: table)
      _ = table.entry.treeNames
      // A record of each layout can be made, and is read by it.
      let record = try RecordEditor.make(of: table) { $0.defaultPayload }
      try record.withUnsafeBytes { bytes in
        let view = try table.view(bytes)
        _ = try FuzzSchema.unlessDamaged {
          for column in table.entry.columns { try table.payload(of: column, in: view) { _ in } }
        }
      }
    }
  }
}
