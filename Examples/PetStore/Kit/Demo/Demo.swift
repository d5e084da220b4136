import Fief
import FiefConsole
import Foundation

/// The demonstration: one step after the other, each in a file of its own.
struct Demo {
  let store: PetStore
  let console: Console
  /// The directory of the stores.
  let directory: String
  /// The greatest number of packages that are loaded; nil for all.
  let packageLimit: Int?
  /// The facts that the steps have gathered, for the summary.
  var facts = Facts()

  /// Numbers that the steps leave for the summary.
  struct Facts {
    var importReport: CatalogueImporter.Report?
    var concurrentWrites = 0
    var concurrentTime: Duration = .zero
    var pointsText = ""
    var closureText = ""
    var removalText = ""
    var acknowledged = 0
    var lost = 0
    var dogsSold = 0
    var halves = 0
    var kills = 0
    var objects = 0
    var fileSize = 0
  }

  /// Runs the demonstration in the chosen directory, or in a temporary one that is removed at the end.
  static func run(_ options: Options, on console: Console) async throws {
    if let directory = options.directory {
      return try await run(in: directory, packages: options.packages, on: console)
    }
    let temporary = FileManager.default.temporaryDirectory
      .appending(path: "petstore-demo-\(UUID().uuidString)", directoryHint: .isDirectory)
    let removal = TemporaryDirectory(temporary)
    defer { removal.remove() }
    try await run(in: temporary.path(percentEncoded: false), packages: options.packages, on: console)
  }

  private static func run(in directory: String, packages: Int?, on console: Console) async throws {
    var demo = Demo(
      store: PetStore(directory: directory),
      console: console,
      directory: directory,
      packageLimit: packages
    )
    let clock = ContinuousClock()
    let start = clock.now
    console.line("Fief's pet store: one application, five domains, a store for each.")
    do {
      try demo.openStores()
      try await demo.loadCodes()
      try await demo.importPackages()
      try await demo.writeConcurrently()
      try await demo.queryPets()
      try await demo.sellDogs()
      try await demo.redeemPoints()
      try demo.queryCatalogue()
      try demo.walkBack()
      try await demo.removeMaintainer()
      await demo.showErrors()
      try demo.showStores("11. What is stored where")
      try await demo.killAndReopen()
      try demo.migrateOldStore()
    } catch {
      demo.store.manager.close()
      throw error
    }
    demo.store.manager.close()
    demo.summarise(in: clock.now - start)
  }

  /// Shows each store with its objects and its size.
  mutating func showStores(_ heading: String) throws {
    console.heading(heading)
    var table = Table("store", "kept", ">version", ">objects", ">size", "of which")
    facts.objects = 0
    facts.fileSize = 0
    for overview in try store.manager.overview() {
      let counts = overview.types.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      facts.objects += overview.count
      facts.fileSize += overview.fileSize
      table.add(
        overview.name,
        overview.isInMemory ? "in memory" : "on disk",
        "\(overview.schemaVersion)",
        Format.count(overview.count),
        Format.bytes(overview.fileSize),
        counts.prefix(4).map { "\($0.name) \(Format.count($0.count))" }.joined(separator: ", ")
      )
    }
    console.table(table)
  }
}
