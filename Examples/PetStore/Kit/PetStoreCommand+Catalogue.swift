import Fief
import FiefConsole

/// The commands about the catalogue.
extension PetStoreCommand {
  static func depends(
    _ package: String,
    _ options: Options,
    in directory: String,
    on console: Console
  ) throws {
    if options.isReverse { return try dependents(of: package, options, in: directory, on: console) }
    if options.isRecursive { return try closure(of: package, options, in: directory, on: console) }
    let store = try PetStore.encrypted(in: directory)
    defer { store.manager.close() }
    guard let requirements = try store.catalogue.requirements(of: package) else {
      throw CatalogueError.unknownPackage(package)
    }
    var table = Table("field", "dependency", "taken")
    for requirement in requirements
    where requirement.kind != .recommends || options.isFollowingRecommended {
      let taken = requirement.taken ?? "nothing provides it"
      table.add(requirement.kind.field, Format.printable(requirement.text), taken)
    }
    console.table(table, indent: 0)
  }

  private static func dependents(
    of package: String,
    _ options: Options,
    in directory: String,
    on console: Console
  ) throws {
    let store = try PetStore.encrypted(in: directory)
    defer { store.manager.close() }
    let clock = ContinuousClock()
    var found: Dependents?
    let time = try clock.measure {
      found = try store.catalogue.dependents(of: package, recursive: options.isRecursive)
    }
    guard let found else { throw CatalogueError.unknownPackage(package) }
    var table = Table(">depth", "package", "through")
    for member in found.members { table.add(String(member.depth), member.name, member.through ?? "") }
    console.table(table, indent: 0)
    console.line(
      "\(Format.count(found.members.count)) packages, \(found.depth) steps back; "
        + "\(Format.count(found.links)) dependencies followed in \(Format.duration(time))."
    )
  }

  static func removeMaintainer(
    _ name: String,
    isDryRun: Bool,
    in directory: String,
    on console: Console
  ) async throws {
    let store = try PetStore.encrypted(in: directory)
    defer { store.manager.close() }
    let found = try store.catalogue.maintainers(called: name)
    if found.count > 1 { throw CatalogueError.severalMaintainers(name, addresses: found.map(\.email)) }
    guard let maintainer = found.first,
      let removal = try store.catalogue.removal(ofMaintainer: maintainer.email)
    else { throw CatalogueError.unknownMaintainer(name) }
    console.line(removal.sentence)
    if isDryRun { return console.line("Nothing was removed.") }
    let removed = try await store.catalogue.removeMaintainer(maintainer.email)
    console.line("\(Format.count(removed ?? 0)) packages were removed.")
  }
}

extension Dependency.Kind {
  /// The name of the field in Debian's control files.
  var field: String {
    switch self {
    case .depends: "Depends"
    case .preDepends: "Pre-Depends"
    case .recommends: "Recommends"
    case .provides: "Provides"
    }
  }
}

/// The reason why the catalogue has no answer.
enum CatalogueError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The index that was loaded does not describe this package.
  case unknownPackage(String)
  /// No maintainer has this name or address.
  case unknownMaintainer(String)
  /// Several maintainers have this name.
  case severalMaintainers(String, addresses: [String])

  var description: String {
    switch self {
    case .unknownPackage(let name):
      "the catalogue has no package '\(Format.printable(name))'; load it first with `petstore import`"
    case .unknownMaintainer(let name): "the catalogue has no maintainer '\(Format.printable(name))'"
    case .severalMaintainers(let name, let addresses):
      "several maintainers have the name '\(Format.printable(name))', use an address: "
        + addresses.map(Format.printable).joined(separator: ", ")
    }
  }
}
