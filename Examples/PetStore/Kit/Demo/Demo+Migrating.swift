import Fief
import FiefConsole
import Foundation
import PetStoreMigrations

extension Demo {
  /// Makes a store as the first version of this program did, and opens it with today's repository.
  func migrateOldStore() throws {
    let place = URL(filePath: directory, directoryHint: .isDirectory)
      .appending(path: "version-1-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: place) }
    let path = place.path(percentEncoded: false)
    console.heading("13. An old store is migrated")
    let before = try makeOldStore(in: path)
    console.say(
      "This store of pets is from the first version of this program, where a dog's breed was a string and "
        + "a club was identified by its name. It is opened like any other, and these steps run in one commit:"
    )
    var steps = Table(">version", "step")
    for step in MigrationPlan.pets.steps(after: before.schemaVersion) {
      steps.add("\(step.version)", step.name)
    }
    console.table(steps)

    let pets = PetRepository(directory: path)
    defer { pets.close() }
    let clock = ContinuousClock()
    let time = try clock.measure { if let error = pets.store().openingError { throw error } }
    let after = try pets.overview()
    var counts = Table("class", ">version \(before.schemaVersion)", ">version \(after.schemaVersion)")
    for name in Set((before.types + after.types).map(\.name)).sorted() {
      counts.add(name, Self.count(name, in: before), Self.count(name, in: after))
    }
    console.table(counts)
    let texts = try pets.breeds().prefix(3).map { "\($0.name) \(Format.count($0.count))" }
    console.say(
      "Opened in \(Format.duration(time)), the migration of \(Format.count(before.count)) objects included. "
        + "The texts \"pug\", \" Pug\" and \"Pug\" are now one breed: \(texts.joined(separator: ", ")). "
        + "Toys are now parts of their dogs instead of separate objects."
    )
    guard try pets.check().problems.isEmpty else { throw DemoFailure.migratedStoreIsDamaged }
    pets.close()
    console.say("A program with the old classes is refused and changes nothing:")
    do {
      _ = try VersionRepository("pets", at: PetsVersion1.self, in: path).overview()
    } catch {
      show(error)
    }
  }

  private static func count(_ name: String, in overview: StoreOverview) -> String {
    overview.types.first { $0.name == name }.map { Format.count($0.count) } ?? "-"
  }

  /// - Returns: the content of the store afterwards.
  private func makeOldStore(in directory: String) throws -> StoreOverview {
    let old = VersionRepository("pets", at: PetsVersion1.self, in: directory)
    defer { old.close() }
    var data = DemoData(seed: 1)
    let customers = (1...500).map { data.customer(number: $0) }
    try old.write { tx in
      var clubs: [String: PetsVersion1.DogClub] = [:]
      for customer in customers {
        let person = PetsVersion1.Person()
        person.name = customer.name
        for adoption in customer.dogs {
          let dog = Self.oldDog(adoption)
          person.dogs.append(dog)
          for name in adoption.clubs {
            let club = clubs[name] ?? PetsVersion1.DogClub()
            club.name = name
            club.president = club.president ?? person
            club.members.append(dog)
            clubs[name] = club
          }
        }
        try tx.add(person, update: .error)
      }
      for club in clubs.values.sorted(by: { $0.name < $1.name }) { try tx.add(club, update: .error) }
    }
    return try old.overview()
  }

  private static func oldDog(_ adoption: PetRepository.Adoption) -> PetsVersion1.Dog {
    let dog = PetsVersion1.Dog()
    dog.name = adoption.name
    // The spellings that people write, chosen by the dog's age.
    let spellings = [adoption.breed, adoption.breed.lowercased(), " \(adoption.breed)"]
    dog.breed = spellings[abs(adoption.age % 3)]
    dog.age = adoption.age
    for kind in adoption.toys {
      let toy = PetsVersion1.DogToy()
      toy.kind = PetsVersion1.DogToy.Kind(rawValue: kind.rawValue) ?? .ball
      toy.squeaks = kind == .squeaky
      dog.toys.append(toy)
    }
    return dog
  }
}
