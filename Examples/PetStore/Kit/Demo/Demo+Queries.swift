import Fief
import FiefConsole
import Foundation

extension Demo {
  /// Queries the store of pets, follows links in both directions, and changes objects inside a write.
  func queryPets() async throws {
    console.heading("5. Links, from both sides")
    var households = Table("person", ">dogs", "their names")
    for household in try store.pets.largestHouseholds(3) {
      households.add(household.person, "\(household.dogs.count)", household.dogs.joined(separator: ", "))
    }
    console.table(households)
    var clubs = Table("club", ">members", "president")
    for club in try store.pets.clubs() { clubs.add(club.name, Format.count(club.members), club.president) }
    console.table(clubs)
    if let breed = try store.pets.breeds().first {
      let clock = ContinuousClock()
      var count = 0
      let time = try await clock.measure {
        count = try await store.pets.celebrateBirthday(ofBreed: breed.name)
      }
      console.say(
        "Birthday of every \(breed.name): \(Format.count(count)) dogs a year older in one write, "
          + "\(Format.duration(time))."
      )
    }
    let soon = Date(timeIntervalSinceNow: 3601)
    let tokens = try await store.auth.sweepTokens(at: soon)
    console.say("An hour later \(Format.count(tokens)) tokens have expired and are deleted.")
  }

  /// Asks the catalogue what only links can answer.
  mutating func queryCatalogue() throws {
    console.heading("8. Queries of the catalogue")
    let clock = ContinuousClock()
    try show("The packages with the most dependents", ["package", "what it is", ">needed by"], clock) {
      try store.catalogue.mostNeeded(8)
    }
    try show("The maintainers with the most packages", ["maintainer", "address", ">packages"], clock) {
      try store.catalogue.busiestMaintainers(5)
    }
    try show("The largest libraries", ["package", "what it is", ">bytes"], clock) {
      try store.catalogue.largest(5, namesBeginWith: "lib")
    }
    let states = try store.catalogue.packageStates()
    console.say(
      "\(Format.count(states.available)) packages are described. \(Format.count(states.mentioned)) more names are only "
        + "mentioned: \(Format.count(states.virtual)) virtual packages, which other packages provide, and "
        + "\(Format.count(states.mentioned - states.virtual)) that no package here provides."
    )

    var table = Table(
      "package",
      ">needs packages",
      ">installed",
      ">steps deep",
      ">dependencies",
      ">passes",
      ">time"
    )
    for name in try store.catalogue.interestingPackages() {
      var found: Closure?
      let before = store.catalogue.store().metrics
      let time = try clock.measure { found = try store.catalogue.closure(of: name) }
      guard let found else { continue }
      let passes = store.catalogue.store().metrics.lookups - before.lookups
      table.add(
        name,
        Format.count(found.members.count - 1),
        Format.bytes(found.installedSize),
        "\(found.depth)",
        Format.count(found.links),
        "\(passes)",
        Format.duration(time)
      )
      facts.closureText = "\(name) and its dependencies: \(found.summary(in: time))"
    }
    console.say(
      "The dependencies of a package, and the time to find them. All packages of a level are looked up "
        + "together, so each step needs only a few passes over the store:"
    )
    console.table(table)
  }

  private func show(
    _ title: String,
    _ headings: [String],
    _ clock: ContinuousClock,
    _ query: () throws -> [CatalogueRepository.Ranked]
  ) throws {
    var rows: [CatalogueRepository.Ranked] = []
    let time = try clock.measure { rows = try query() }
    console.say("\(title), found in \(Format.duration(time)):")
    var table = Table(headings[0], headings[1], headings[2])
    for row in rows { table.add(row.name, String(row.detail.prefix(50)), Format.count(row.count)) }
    console.table(table)
  }

  /// Shows that a mistake is an error with a name, and changes nothing.
  func showErrors() async {
    console.heading("10. Mistakes are typed errors")
    let breed = Breed()
    breed.name = "Pug"
    console.say("A second breed with the same name, with update: false:")
    do {
      try await store.pets.save(entity: breed, update: false)
      console.say("it was stored, which must not happen", indent: 4)
    } catch {
      show(error)
    }
    console.say("Removing a section of the archive that has packages:")
    do {
      if let section = try store.catalogue.largestSections(1).first {
        try await store.catalogue.removeSection(section.name)
      }
    } catch {
      show(error)
    }
    console.say("A JSON product with a price that is not a number:")
    do {
      try await store.payments.stock(fromJSON: Data(#"[{"sku": "X", "price": {"amount": 1}}]"#.utf8))
    } catch {
      show(error)
    }
    console.say("An order for a country that does not exist:")
    do {
      var data = DemoData(seed: 1)
      var order = data.customer(number: 1).order(number: .max, userID: UUID())
      order.countryCode = "ZZZ"
      try await store.payments.place(order)
    } catch {
      show(error)
    }
  }

  /// Prints an error as it describes itself.
  func show(_ error: any Error) {
    for line in "\(error)".split(separator: "\n") { console.line("    " + Format.printable(String(line))) }
  }
}
