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
    var chatText = ""
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
      store: try PetStore.encrypted(in: directory),
      console: console,
      directory: directory,
      packageLimit: packages
    )
    let clock = ContinuousClock()
    let start = clock.now
    console.line("Fief's pet store: one application, six domains, one store for each.")
    #if DEBUG
      console.line("This is a debug build: everything takes about ten times as long as in a release build.")
    #endif
    do {
      try await demo.runSteps()
    } catch {
      demo.store.manager.close()
      throw error
    }
    demo.store.manager.close()
    demo.summarise(in: clock.now - start)
  }

  /// Runs the steps, each under a label that the last one shows.
  private mutating func runSteps() async throws {
    try StoreUsage.withLabel("open") { try openStores() }
    try await StoreUsage.withLabel("load codes") { try await loadCodes() }
    try await StoreUsage.withLabel("import") { try await importPackages() }
    try await StoreUsage.withLabel("write at once") { try await writeConcurrently() }
    try await StoreUsage.withLabel("query pets") { try await queryPets() }
    try await StoreUsage.withLabel("sell dogs") { try await sellDogs() }
    try await StoreUsage.withLabel("redeem points") { try await redeemPoints() }
    try StoreUsage.withLabel("query catalogue") { try queryCatalogue() }
    try StoreUsage.withLabel("walk back") { try walkBack() }
    try await StoreUsage.withLabel("remove maintainer") { try await removeMaintainer() }
    await StoreUsage.withLabel("show errors") { await showErrors() }
    try StoreUsage.withLabel("show stores") { try showStores("11. The contents of the stores") }
    try await StoreUsage.withLabel("kill") { try await killAndReopen() }
    try StoreUsage.withLabel("migrate") { try migrateOldStore() }
    try StoreUsage.withLabel("look for values") { try lookForValues() }
    try await StoreUsage.withLabel("chat") { try await chat() }
    showUsage()
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
