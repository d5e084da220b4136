import Fief
import PetStoreMigrations

/// Home clubs that several people share, breeds without dogs, toys of two dogs and of none.
enum PetsSample2 {
  private typealias Version = PetsVersion2

  static func fill(_ tx: WriteTransaction) throws {
    let pug = try tx.create(Version.Breed.self, value: ["name": "Pug"])
    try tx.create(Version.Breed.self, value: ["name": "秋田犬"])
    let ball = try tx.create(Version.DogToy.self, value: ["kind": "ball", "colour": "red"])
    let bone = try tx.create(Version.DogToy.self, value: ["kind": "bone"])
    try tx.create(Version.DogToy.self, value: ["kind": "squeaky", "colour": "lost"])

    let rex = try dog(tx, 11, "Rex", pug, 3, [ball, bone])
    let bella = try dog(tx, 12, "Bella", pug, 0, [bone, ball, bone])
    let long = try dog(tx, 13, Sample.longName, nil, .min, [])

    let ada = try person(tx, 1, "Ada", [rex])
    let bjorn = try person(tx, 2, "Björn", [bella, rex])
    let emi = try person(tx, 3, "", [])
    let agility = try club(tx, "Agility", ada, [rex, bella, rex])
    let swimming = try club(tx, "Svømning", nil, [long])
    try club(tx, "", emi, [])
    ada.homeClub = agility
    bjorn.homeClub = agility
    emi.homeClub = swimming
  }

  private static func dog(
    _ tx: WriteTransaction,
    _ number: UInt8,
    _ name: String,
    _ breed: Version.Breed?,
    _ age: Int,
    _ toys: [Version.DogToy]
  ) throws -> Version.Dog {
    let dog = Version.Dog()
    dog.id = Sample.uuid(number)
    dog.name = name
    dog.breed = breed
    dog.age = age
    for toy in toys { dog.toys.append(toy) }
    try tx.add(dog, update: .error)
    return dog
  }

  private static func person(
    _ tx: WriteTransaction,
    _ number: UInt8,
    _ name: String,
    _ dogs: [Version.Dog]
  ) throws -> Version.Person {
    let person = Version.Person()
    person.id = Sample.uuid(number)
    person.name = name
    for dog in dogs { person.dogs.append(dog) }
    try tx.add(person, update: .error)
    return person
  }

  @discardableResult
  private static func club(
    _ tx: WriteTransaction,
    _ name: String,
    _ president: Version.Person?,
    _ members: [Version.Dog]
  ) throws -> Version.DogClub {
    let club = Version.DogClub()
    club.name = name
    club.president = president
    for dog in members { club.members.append(dog) }
    try tx.add(club, update: .error)
    return club
  }
}
