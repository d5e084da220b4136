/// Two clubs of one name, dogs of no breed, breeds of no dog, toys as parts of dogs.
enum PetsSample3 {
  static func fill(_ objects: NewestObjects) throws {
    let pug = try objects.create("Breed", ["name": "Pug"])
    try objects.create("Breed", ["name": "秋田犬"])
    let rex = try objects.create(
      "Dog",
      [
        "id": Sample.uuid(11), "name": "Rex", "breed": pug, "age": 3,
        "toys": [["kind": "ball", "colour": "grün"], ["kind": "squeaky"]],
      ]
    )
    let long = try objects.create("Dog", ["id": Sample.uuid(12), "name": Sample.longName, "age": Int.min])
    let ada = try objects.create(
      "Person",
      ["id": Sample.uuid(1), "name": "Ada", "userID": Sample.uuid(1), "dogs": [rex, long, rex]]
    )
    let club = try objects.create(
      "DogClub",
      ["id": Sample.uuid(41), "name": "日本犬クラブ", "president": ada, "members": [rex, rex]]
    )
    try objects.create("DogClub", ["id": Sample.uuid(42), "name": "日本犬クラブ", "members": [long]])
    try objects.create("Person", ["id": Sample.uuid(2), "name": "", "homeClub": club])
  }
}
