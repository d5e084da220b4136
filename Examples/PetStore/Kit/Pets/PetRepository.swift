import Fief
import Foundation
import PetStoreMigrations

/// The store of people and their dogs.
package final class PetRepository: DatabaseConfigurable, Sendable {
  package let directory: String?

  package var realmMemoryType: RealmMemoryType { .inStorage }
  package var schemaName: String? { "pets" }
  package var schemaVersion: UInt64? { MigrationPlan.pets.version }
  package var objectTypes: [Object.Type]? {
    [Person.self, Dog.self, Breed.self, DogClub.self]
  }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { [DogToy.self] }
  package var migrationPlan: MigrationPlan? { .pets }
  package var storeOptions: StoreOptions { .keepingUsage }

  /// Describes the store under a directory.
  package init(directory: String?) {
    self.directory = directory
  }

  /// A dog that a person brings home.
  struct Adoption: Sendable {
    var name: String
    var breed: String
    var age: Int
    var toys: [DogToy.Kind]
    var clubs: [String]
  }

  /// Adds a person with dogs, their toys and their clubs in one write.
  ///
  /// - Returns: the new person's key.
  func adopt(_ adoptions: [Adoption], by name: String, userID: UUID? = nil) async throws -> UUID {
    try await write { tx in
      let person = Person()
      person.name = name
      person.userID = userID
      for adoption in adoptions { person.dogs.append(try Self.dog(adoption, in: tx)) }
      try tx.add(person, update: .error)
      for (adoption, dog) in zip(adoptions, person.dogs) {
        for name in adoption.clubs {
          let club = try Self.club(named: name, in: tx, foundedBy: person)
          club.members.append(dog)
          if person.homeClub == nil { person.homeClub = club }
        }
      }
      return person.id
    }
  }

  static func dog(_ adoption: Adoption, in tx: WriteTransaction) throws -> Dog {
    let dog = Dog()
    dog.name = adoption.name
    dog.breed = try Self.breed(named: adoption.breed, in: tx)
    dog.age = adoption.age
    for kind in adoption.toys {
      let toy = DogToy()
      toy.kind = kind
      dog.toys.append(toy)
    }
    return dog
  }

  private static func breed(named name: String, in tx: WriteTransaction) throws -> Breed? {
    if name.isEmpty { return nil }
    if let breed = try tx.object(ofType: Breed.self, forPrimaryKey: name) { return breed }
    return try tx.create(Breed.self, value: ["name": name])
  }

  private static func club(
    named name: String,
    in tx: WriteTransaction,
    foundedBy person: Person
  ) throws -> DogClub {
    if let club = tx.objects(DogClub.self).first(where: { $0.name == name }) { return club }
    let club = DogClub()
    club.name = name
    club.president = person
    try tx.add(club, update: .error)
    return club
  }

  /// A person and how many dogs they have.
  struct Household: Sendable {
    var person: String
    var dogs: [String]
  }

  /// The people with most dogs, the most first.
  func largestHouseholds(_ limit: Int) throws -> [Household] {
    try read { snapshot in
      let people = snapshot.objects(Person.self)
        .sorted { ($1.dogs.count, $0.name) < ($0.dogs.count, $1.name) }
      return people.prefix(limit).map { person in
        Household(person: person.name, dogs: person.dogs.map(\.name))
      }
    }
  }

  /// A club, its president, and how many members it has.
  struct ClubSize: Sendable {
    var name: String
    var president: String
    var members: Int
  }

  /// The clubs by their names.
  func clubs() throws -> [ClubSize] {
    try read { snapshot in
      snapshot.objects(DogClub.self).sorted(byKeyPath: "name", ascending: true).map { club in
        ClubSize(name: club.name, president: club.president?.name ?? "-", members: club.members.count)
      }
    }
  }

  /// Each breed with the number of its dogs, the most frequent first.
  func breeds() throws -> [(name: String, count: Int)] {
    try read { snapshot in
      snapshot.objects(Breed.self).map { (name: $0.name, count: $0.dogs.count) }
        .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
  }

  /// Gives every dog of a breed another year; each assignment inside the write is the change.
  ///
  /// - Returns: the number of dogs that had their birthday.
  func celebrateBirthday(ofBreed breed: String) async throws -> Int {
    try await write { tx in
      guard let breed = try tx.object(ofType: Breed.self, forPrimaryKey: breed) else { return 0 }
      for dog in breed.dogs { dog.age += 1 }
      return breed.dogs.count
    }
  }
}
