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
      "Links lead back as well: who needs a package, and who needs those, to the end. Of links only the names at their "
        + "other ends are read:"
    )
    console.table(table)
  }

  /// Removes a maintainer with all packages, as the rules of the classes say, and compares that with what was counted.
  mutating func removeMaintainer() async throws {
    console.heading("9. What goes with a maintainer")
    guard let busiest = try store.catalogue.busiestMaintainers(1).first else {
      return console.say("There are no maintainers, so this step is left out.")
    }
    let clock = ContinuousClock()
    var preview: CatalogueRepository.Removal?
    let counting = try clock.measure {
      preview = try store.catalogue.removal(ofMaintainer: busiest.detail)
    }
    guard let preview else { throw DemoFailure.removalDiffers }
    console.say(
      preview.sentence + " That is counted in \(Format.duration(counting)), and nothing has changed."
    )
    let needed = try store.catalogue.count(Package.self)
    let start = clock.now
    let removed = try await store.catalogue.removeMaintainer(busiest.detail)
    let time = clock.now - start
    guard removed == preview.packages,
      try store.catalogue.count(Package.self) == needed - preview.packages
    else { throw DemoFailure.removalDiffers }
    let text =
      "\(Format.count(preview.packages)) packages went with a maintainer, and \(Format.count(preview.links)) "
      + "dependencies on them, in one commit of \(Format.duration(time))"
    console.say("It is done now: \(text). The next import would bring them back.")
    facts.removalText = text
  }
}

extension CatalogueRepository.Removal {
  /// The effect of the removal, in a sentence or two.
  var sentence: String {
    "With \(Format.printable(name)) <\(Format.printable(email))> go \(Format.count(packages)) packages of "
      + "\(Format.bytes(installedBytes)). \(Format.count(dependents)) packages of others stay, and lose "
      + "\(Format.count(links)) dependencies on them."
  }
}
