import Fief
import Foundation
import PetStoreMigrations
import Testing

@testable import PetStoreKit

@Suite("Old stores of pets") struct PetsMigrationTests {
  private func contents(of pets: PetRepository) throws -> [String] {
    try pets.read { snapshot in
      let people = snapshot.objects(Person.self).map { person in
        "person \(Words.number(person.id)) \(Words.text(person.name)) \(Words.number(person.userID)) "
          + "\(Words.text(person.homeClub?.name)) \(Words.list(person.dogs.map { Words.number($0.id) }))"
      }
      let dogs = snapshot.objects(Dog.self).map { dog in
        "dog \(Words.number(dog.id)) \(Words.text(dog.name)) \(Words.text(dog.breed?.name)) \(dog.age) "
          + Words.list(dog.toys.map { "\($0.kind)/\($0.colour)" })
      }
      let breeds = snapshot.objects(Breed.self).map { breed in
        "breed \(Words.text(breed.name)) \(Words.list(breed.dogs.map { Words.number($0.id) }.sorted()))"
      }
      let clubs = snapshot.objects(DogClub.self).sorted(byKeyPath: "name", ascending: true).map { club in
        "club \(Words.text(club.name)) \(Words.number(club.president?.id)) "
          + "\(Words.list(club.members.map { Words.number($0.id) })) "
          + Words.list(club.people.map { Words.number($0.id) }.sorted())
      }
      return Array(people) + Array(dogs) + Array(breeds) + Array(clubs)
    }
  }

  @Test("Version 1 to 3", arguments: FixtureStores.Way.allCases)
  func first(way: FixtureStores.Way) throws {
    try FixtureStores.with("pets", version: 1) { directory in
      try FixtureStores.prepare(way, "pets", PetsVersion2.self, in: directory)
      let pets = PetRepository(directory: directory)
      defer { pets.close() }
      try FixtureStores.check(pets, version: 3)
      let expected = [
        "person 1 'Ada' 1 '' [11 12]",
        "person 2 'Björn' - '日本犬クラブ' [12 13 15]",
        "person 3 '' - - []",
        "dog 11 'Rex' 'Pug' 3 [ball/red squeaky/natural rope/grün]",
        "dog 12 'Bella' 'Pug' 0 [rope/grün rope/grün]",
        "dog 13 'Zoë' - 14 []",
        "dog 14 'Sir Bark'…424 'Xoloitzcuintle' -1 []",
        "dog 15 'ハチ' '秋田犬' 9223372036854775807 []",
        "breed 'Pug' [11 12]",
        "breed 'Xoloitzcuintle' [14]",
        "breed '秋田犬' [15]",
        "club '' 1 [14] [1]",
        "club 'Agility' 1 [11 12] []",
        "club 'Swimming' - [12 12] []",
        "club '日本犬クラブ' 2 [] [2]",
      ]
      Words.expect(try contents(of: pets), expected)
      let ids = try pets.read { Set($0.objects(DogClub.self).map(\.id)) }
      #expect(ids.count == 4)
    }
  }

  @Test("Version 1 to 2: breeds as objects, a colour for each toy")
  func second() throws {
    try FixtureStores.with("pets", version: 1) { directory in
      let plan = MigrationPlan([PetsVersion2.self])
      let old = VersionRepository("pets", at: PetsVersion2.self, in: directory, plan: plan)
      defer { old.close() }
      try FixtureStores.check(old, version: 2)
      try old.read { snapshot in
        let breeds = snapshot.objects(PetsVersion2.Breed.self).map { "\($0.name) \($0.dogs.count)" }
        #expect(Array(breeds) == ["Pug 2", "Xoloitzcuintle 1", "秋田犬 1"])
        let toys = snapshot.objects(PetsVersion2.DogToy.self).map { "\($0.kind) \($0.colour)" }
        #expect(Array(toys) == ["ball red", "squeaky natural", "rope grün", "bone white"])
        let homes = snapshot.objects(PetsVersion2.Person.self).map { $0.homeClub?.name }
        #expect(Array(homes) == ["", "日本犬クラブ", nil])
      }
    }
  }

  @Test("Version 2 to 3")
  func third() throws {
    try FixtureStores.with("pets", version: 2) { directory in
      let pets = PetRepository(directory: directory)
      defer { pets.close() }
      try FixtureStores.check(pets, version: 3)
      let expected = [
        "person 1 'Ada' - 'Agility' [11]",
        "person 2 'Björn' - 'Agility' [12 11]",
        "person 3 '' - 'Svømning' []",
        "dog 11 'Rex' 'Pug' 3 [ball/red bone/natural]",
        "dog 12 'Bella' 'Pug' 0 [bone/natural ball/red bone/natural]",
        "dog 13 'Sir Bark'…424 - -9223372036854775808 []",
        "breed 'Pug' [11 12]",
        "breed '秋田犬' []",
        "club '' 3 [] []",
        "club 'Agility' 1 [11 12 11] [1 2]",
        "club 'Svømning' - [13] [3]",
      ]
      Words.expect(try contents(of: pets), expected)
    }
  }
}
