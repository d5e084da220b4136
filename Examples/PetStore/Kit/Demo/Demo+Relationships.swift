import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Follows dependencies back: who needs a package, and who needs those.
  func walkBack() throws {
    let clock = ContinuousClock()
    var table = Table(
      "package",
      ">needed by",
      ">in all by",
      ">steps back",
      ">links",
      ">objects read",
      ">time"
    )
    for package in try store.catalogue.mostNeeded(3) {
      let direct = try store.catalogue.dependents(of: package.name)
      let before = store.catalogue.store().metrics
      var found: Dependents?
      let time = try clock.measure {
        found = try store.catalogue.dependents(of: package.name, recursive: true)
      }
      guard let direct, let found else { continue }
      let objects = store.catalogue.store().metrics.objectsRead - before.objectsRead
      table.add(
        package.name,
        Format.count(direct.members.count),
        Format.count(found.members.count),
        "\(found.depth)",
        Format.count(found.links),
        Format.count(Int(objects)),
        Format.duration(time)
      )
    }
    console.say(
      "Links also work backward: the packages that need a package, directly or indirectly. Of links, only the names at their "
        + "other ends are read:"
    )
    console.table(table)
  }

  /// Removes a maintainer with all packages, as the rules of the classes say, and compares that with what was counted.
  mutating func removeMaintainer() async throws {
    console.heading("9. Deleting a maintainer and all packages")
    guard let busiest = try store.catalogue.busiestMaintainers(1).first else {
      return console.say("The catalogue has no maintainers, so this step is skipped.")
    }
    let clock = ContinuousClock()
    var preview: CatalogueRepository.Removal?
    let counting = try clock.measure {
      preview = try store.catalogue.removal(ofMaintainer: busiest.detail)
    }
    guard let preview else { throw DemoFailure.removalDiffers }
    console.say(
      preview.sentence + " Counting this took \(Format.duration(counting)) and changed nothing."
    )
    let needed = try store.catalogue.count(Package.self)
    let start = clock.now
    let removed = try await store.catalogue.removeMaintainer(busiest.detail)
    let time = clock.now - start
    guard removed == preview.packages,
      try store.catalogue.count(Package.self) == needed - preview.packages
    else { throw DemoFailure.removalDiffers }
    let text =
      "\(Format.count(preview.packages)) packages were deleted, and \(Format.count(preview.links)) "
      + "dependencies on them, in one commit of \(Format.duration(time))"
    console.say("Now deleted: \(text). The next import would restore them.")
    facts.removalText = text
  }
}

extension CatalogueRepository.Removal {
  /// The effect of the removal, in a sentence or two.
  var sentence: String {
    "Deleting \(Format.printable(name)) <\(Format.printable(email))> deletes \(Format.count(packages)) "
      + "packages of \(Format.bytes(installedBytes)). \(Format.count(dependents)) packages of others stay, but lose "
      + "\(Format.count(links)) dependencies on them."
  }
}
