import Fief
import FiefConsole
import Foundation

/// Shows a store and its contents.
enum InfoVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "info",
    "Shows a store's versions, sizes and types with their numbers of objects",
    discussion: ["Changes nothing. 'fief stats' has more details about the sizes."],
    positionals: [ToolDeclaration.store],
    examples: [.init("fief info petstore-data/pets", "The store pets of the example.")]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let store = try context.open()
    let statistics = try store.statistics()
    let counts = try store.read { snapshot in
      try snapshot.types.map { $0.isEmbedded ? nil : try snapshot.count(of: $0.name) }
    }
    let unfinished = try store.read { try $0.unfinishedWrites() }
    if context.isJSON {
      context.print(document(store, statistics, counts, unfinished))
    } else {
      write(store, statistics, counts, unfinished, context.output)
    }
    return .done
  }

  private static func bytes(of type: String, _ statistics: DynamicStatistics) -> Int {
    statistics.trees.reduce(0) { $0 + ($1.typeName == type ? $1.bytes : 0) }
  }

  private static func write(
    _ store: DynamicStore,
    _ statistics: DynamicStatistics,
    _ counts: [Int?],
    _ unfinished: [InDoubtTransaction],
    _ console: Console
  ) {
    let pages = "\(Format.count(statistics.pages)) pages of \(Format.bytes(statistics.pageSize))"
    let facts = [
      ("Store", store.name), ("Directory", store.directory),
      ("Schema version", "\(store.schemaVersion)"), ("Format", "\(store.formatVersion)"),
      ("Store id", store.storeID.uuidString),
      (
        "File",
        "\(Format.bytes(statistics.fileSize)): \(pages), \(Format.count(statistics.freePages)) of them free"
      ),
      ("Commits", Format.count(Int(clamping: statistics.lastTransaction))),
      ("Readers", readers(statistics)),
      ("Objects", Format.count(counts.reduce(0) { $0 + ($1 ?? 0) })),
    ]
    let width = (facts.map(\.0.count).max() ?? 0) + 2
    for (name, value) in facts {
      console.line(
        name + String(repeating: " ", count: width - name.count) + Format.printable(value)
      )
    }
    for reader in statistics.readers { console.line("Reader: " + Format.printable("\(reader)")) }
    for write in unfinished { console.line("Unfinished: " + Format.printable("\(write)")) }
    console.line()
    var table = Table("Type", ">Objects", ">Properties", ">Size")
    for (type, count) in zip(store.types, counts) {
      table.add(
        type.name,
        count.map { Format.count($0) } ?? "embedded",
        "\(type.columns.count)",
        count == nil ? "" : Format.bytes(bytes(of: type.name, statistics))
      )
    }
    console.table(table, indent: 0)
  }

  static func readers(_ statistics: DynamicStatistics) -> String {
    if statistics.readerSlots == 0 { return "no lock table: no process has the store open" }
    let lag = statistics.oldestReaderLag
    let oldest =
      lag == 0 ? "all readers see the newest state" : "the oldest is \(Format.count(lag)) commits behind"
    return "\(statistics.usedReaderSlots) of \(statistics.readerSlots) slots were used; \(oldest)"
  }

  private static func document(_ reader: StoreReader) -> JSONValue {
    [
      "process": .integer(Int64(reader.process)),
      "program": reader.program.map { .string($0) } ?? .null,
      "thread": .string(reader.thread),
      "commitsBehind": .count(reader.commitsBehind),
      "ageInSeconds": reader.age.map { .integer($0.components.seconds) } ?? .null,
    ]
  }

  private static func document(
    _ store: DynamicStore,
    _ statistics: DynamicStatistics,
    _ counts: [Int?],
    _ unfinished: [InDoubtTransaction]
  ) -> JSONValue {
    let types = zip(store.types, counts).map { type, count -> JSONValue in
      [
        "name": .string(type.name),
        "isEmbedded": .bool(type.isEmbedded),
        "objects": count.map { .count($0) } ?? .null,
        "properties": .count(type.columns.count),
        "bytes": .count(bytes(of: type.name, statistics)),
      ]
    }
    return [
      "store": .string(store.name),
      "directory": .string(store.directory),
      "schemaVersion": .unsigned(store.schemaVersion),
      "format": .integer(Int64(store.formatVersion)),
      "storeID": .string(store.storeID.uuidString),
      "fileSize": .count(statistics.fileSize),
      "pageSize": .count(statistics.pageSize),
      "pages": .count(statistics.pages),
      "freePages": .count(statistics.freePages),
      "commits": .unsigned(statistics.lastTransaction),
      "readerSlots": .count(statistics.readerSlots),
      "usedReaderSlots": .count(statistics.usedReaderSlots),
      "oldestReaderLag": .count(statistics.oldestReaderLag),
      "readers": .array(statistics.readers.map { document($0) }),
      "objects": .count(counts.reduce(0) { $0 + ($1 ?? 0) }),
      "unfinishedWrites": .array(unfinished.map { UnfinishedText.document($0) }),
      "types": .array(types),
    ]
  }
}
