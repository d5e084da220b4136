import Fief
import FiefConsole

/// Shows the sizes of a store.
enum StatsVerb: ToolVerb {
  static let declaration = CommandDeclaration(
    "stats",
    "Shows the sizes of a store: by type, index and link, how full the pages are, and its readers; or its usage",
    discussion: [
      "The fill is the used part of the leaf pages; computing it reads every entry. Free pages are reused "
        + "by later commits; 'fief compact' returns them to the disk. A reader that is many commits behind "
        + "prevents the reuse of pages, and the file grows.",
      "With --usage it shows reads and writes in this hour, this day and in total, by type and by label. A store "
        + "keeps these statistics if the application's options have budgets or keepsUsage.",
      "Changes nothing.",
    ],
    positionals: [ToolDeclaration.store],
    options: [OptionDeclaration("usage", "Shows reads and writes by type and label instead.")],
    examples: [
      .init("fief stats petstore-data/pets", "Where the bytes are."),
      .init("fief stats petstore-data/pets --usage", "Reads and writes."),
    ]
  )

  static func run(_ context: ToolContext) throws -> ExitStatus {
    let store = try context.open()
    if context.invocation.has("usage") {
      let kept = try store.read { try $0.keptUsage() }
      if context.isJSON {
        context.print(["store": .string(store.name), "usage": kept.map(UsageTable.document) ?? .null])
      } else {
        for line in UsageTable.lines(kept) { context.output.line(line) }
      }
      return .done
    }
    let statistics = try store.statistics(measuringFill: true)
    if context.isJSON {
      context.print(document(store.name, statistics))
    } else {
      write(statistics, context.output)
    }
    return .done
  }

  private static func name(of tree: DynamicStatistics.Tree) -> String {
    let type = tree.typeName ?? ""
    return switch tree.purpose {
    case .records: type
    case .index: "\(type).\(tree.property ?? "") (index)"
    case .backlinks: "\(type).\(tree.property ?? "") (backlinks)"
    case .collections: "large collections"
    case .catalogue: "(catalogue)"
    }
  }

  private static func percent(_ fill: Double?) -> String {
    fill.map { "\(Int(($0 * 100).rounded()))%" } ?? "-"
  }

  private static func write(_ statistics: DynamicStatistics, _ console: Console) {
    var table = Table("Tree", ">Entries", ">Depth", ">Pages", ">Size", ">Fill")
    for tree in statistics.trees {
      table.add(
        name(of: tree),
        Format.count(tree.entries),
        "\(tree.depth)",
        Format.count(tree.branchPages + tree.leafPages + tree.overflowPages),
        Format.bytes(tree.bytes),
        percent(tree.fill)
      )
    }
    console.table(table, indent: 0)
    console.line()
    let free = statistics.freePages * statistics.pageSize
    console.line(
      "File:    \(Format.bytes(statistics.fileSize)), \(Format.count(statistics.pages)) pages of "
        + "\(Format.bytes(statistics.pageSize))"
    )
    console.line(
      "Free:    \(Format.count(statistics.freePages)) pages, \(Format.bytes(free)), reused by later commits"
    )
    console.line("Map:     \(Format.bytes(statistics.mapSize)) of address space")
    console.line("Commits: \(Format.count(Int(clamping: statistics.lastTransaction)))")
    console.line("Readers: \(InfoVerb.readers(statistics))")
  }

  private static func document(_ name: String, _ statistics: DynamicStatistics) -> JSONValue {
    let trees = statistics.trees.map { tree -> JSONValue in
      [
        "purpose": .string(tree.purpose.rawValue),
        "type": .text(tree.typeName),
        "property": .text(tree.property),
        "entries": .count(tree.entries),
        "depth": .count(tree.depth),
        "branchPages": .count(tree.branchPages),
        "leafPages": .count(tree.leafPages),
        "overflowPages": .count(tree.overflowPages),
        "bytes": .count(tree.bytes),
        "fill": tree.fill.map { .double($0) } ?? .null,
      ]
    }
    return [
      "store": .string(name),
      "fileSize": .count(statistics.fileSize),
      "mapSize": .count(statistics.mapSize),
      "pageSize": .count(statistics.pageSize),
      "pages": .count(statistics.pages),
      "freePages": .count(statistics.freePages),
      "commits": .unsigned(statistics.lastTransaction),
      "readerSlots": .count(statistics.readerSlots),
      "usedReaderSlots": .count(statistics.usedReaderSlots),
      "oldestReaderLag": .count(statistics.oldestReaderLag),
      "trees": .array(trees),
    ]
  }
}
