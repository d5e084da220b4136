import Fief
import FiefConsole
import Foundation

/// The command `petstore`.
public enum PetStoreCommand {
  /// Runs the command to its end.
  ///
  /// - Parameter arguments: those after the program's name.
  /// - Returns: the exit status: 0 when all went well, 1 after a failure, 2 for a wrong command line.
  public static func run(_ arguments: [String]) async -> Int32 {
    // A reader that goes away in the middle must not keep the stores from being closed.
    signal(SIGPIPE, SIG_IGN)
    let console = Console.standardOutput()
    do {
      let options = try Options(arguments)
      try await StoreUsage.withLabel(options.command.usageLabel) { try await run(options, on: console) }
      return 0
    } catch let error as Options.UsageError {
      report("petstore: \(error)\n\n\(Options.usage)")
      return 2
    } catch {
      report("petstore: \(error)")
      return 1
    }
  }

  private static func run(_ options: Options, on console: Console) async throws {
    let directory = options.directory ?? "petstore-data"
    switch options.command {
    case .help: console.line(Options.usage)
    case .demo: try await Demo.run(options, on: console)
    case .load: try await load(options, into: directory, on: console)
    case .closure(let package): try closure(of: package, options, in: directory, on: console)
    case .depends(let package): try depends(package, options, in: directory, on: console)
    case .removeMaintainer(let name):
      try await removeMaintainer(name, isDryRun: options.isDryRun, in: directory, on: console)
    case .stats: try stats(in: directory, on: console)
    case .watch(let domain):
      try await watch(domain, updates: options.updates, in: directory, on: console)
    case .chat: try await ChatWriter(directory: directory).run()
    case .follow(let room): try await follow(room: room, in: directory, on: console)
    case .orders(let first): try await OrderWriter(directory: directory, first: first).run()
    }
  }

  static func closure(
    of package: String,
    _ options: Options,
    in directory: String,
    on console: Console
  ) throws {
    let store = try PetStore.encrypted(in: directory)
    try store.manager.openAll()
    defer { store.manager.close() }
    let clock = ContinuousClock()
    var found: Closure?
    let time = try clock.measure {
      found = try store.catalogue.closure(of: package, recommended: options.isFollowingRecommended)
    }
    guard let found else { throw CatalogueError.unknownPackage(package) }
    var table = Table(">depth", "package", "version", ">installed")
    for member in found.members {
      table.add(
        String(member.depth),
        member.name,
        member.version,
        Format.bytes(member.installedSize)
      )
    }
    console.table(table, indent: 0)
    console.line(found.summary(in: time))
    for name in found.unmet { console.line("nothing provides \(Format.printable(name))") }
  }

  private static func report(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }
}

extension Closure {
  /// The size of the closure and what it cost to find, in one sentence.
  func summary(in time: Duration) -> String {
    "\(Format.count(members.count)) packages, \(Format.bytes(installedSize)) installed, "
      + "\(depth) steps deep; \(Format.count(links)) dependencies followed in \(Format.duration(time))."
  }
}
