import Fief
import PetStoreMigrations

/// People who share dogs, breeds as people write them, toys of several dogs and of none, clubs with and
/// without a president.
enum PetsSample1 {
  static func fill(_ tx: WriteTransaction) throws {
    let red = toy(.ball, "red"), squeaky = toy(.squeaky, nil), shared = toy(.rope, "grün")
    let lost = toy(.bone, "white")
    for toy in [red, squeaky, shared, lost] { try tx.add(toy, update: .error) }

    let rex = dog(11, "Rex", "Pug", 3, [red, squeaky, shared])
    let bella = dog(12, "Bella", " pug ", 0, [shared, shared])
    let zoe = dog(13, "Zoë", "", 14, [])
    let stray = dog(14, Sample.longName, "Xoloitzcuintle", -1, [])
    let akita = dog(15, "ハチ", "秋田犬", .max, [])
    for dog in [rex, bella, zoe, stray, akita] { try tx.add(dog, update: .error) }

    let ada = person(1, "Ada", 1, [rex, bella])
    let bjorn = person(2, "Björn", nil, [bella, zoe, akita])
    let alone = person(3, "", nil, [])
    for person in [ada, bjorn, alone] { try tx.add(person, update: .error) }

    for club in [
      club("Agility", ada, [rex, bella]), club("Swimming", nil, [bella, bella]),
      club("日本犬クラブ", bjorn, []), club("", ada, [stray]),
    ] { try tx.add(club, update: .error) }
  }

  private static func toy(_ kind: PetsVersion1.DogToy.Kind, _ colour: String?) -> PetsVersion1.DogToy {
    let toy = PetsVersion1.DogToy()
    toy.kind = kind
    toy.colour = colour
    toy.squeaks = kind == .squeaky
    return toy
  }

  private static func dog(
    _ number: UInt8,
    _ name: String,
    _ breed: String,
    _ age: Int,
    _ toys: [PetsVersion1.DogToy]
  ) -> PetsVersion1.Dog {
    let dog = PetsVersion1.Dog()
    dog.id = Sample.uuid(number)
    dog.name = name
    dog.breed = breed
    dog.age = age
    for toy in toys { dog.toys.append(toy) }
    return dog
  }

  private static func person(
    _ number: UInt8,
    _ name: String,
    _ account: UInt8?,
    _ dogs: [PetsVersion1.Dog]
  ) -> PetsVersion1.Person {
    let person = PetsVersion1.Person()
    person.id = Sample.uuid(number)
    person.name = name
    person.userID = account.map(Sample.uuid)
    for dog in dogs { person.dogs.append(dog) }
    return person
  }

  private static func club(
    _ name: String,
    _ president: PetsVersion1.Person?,
    _ members: [PetsVersion1.Dog]
  ) -> PetsVersion1.DogClub {
    let club = PetsVersion1.DogClub()
    club.name = name
    club.president = president
    for dog in members { club.members.append(dog) }
    return club
  }
}
