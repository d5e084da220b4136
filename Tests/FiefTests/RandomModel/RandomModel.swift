import Fief
import FiefStress

/// Does the same to a store and to dictionaries, by numbers drawn from a seed.
struct RandomModel {
  var repository: ModelRepository
  var contents = ModelContents()
  var random: StressRandom
  private var nextMark = 1

  private struct Undo: Error {}

  init(_ repository: ModelRepository, seed: UInt64) {
    self.repository = repository
    random = StressRandom(seed: seed)
  }

  /// One random operation, alone or several in a transaction that may be rolled back.
  mutating func step() throws {
    switch random.next(20) {
    case 0..<5: try saveOwner()
    case 5..<9: try savePet()
    case 9..<11: try saveNote()
    case 11..<13: try saveModified()
    case 13..<15: try deleteOne()
    case 15: try refuse()
    case 16: random.next(8) == 0 ? try deleteAll() : try saveNote()
    case 17..<19: try write()
    default: repository.realmMemoryType == .inStorage ? repository.close() : ()
    }
  }

  // MARK: Values

  private mutating func home() -> ModelContents.Home {
    ModelContents.Home(street: "Street \(random.next(50))", floor: random.next(2) == 0 ? nil : random.next(9))
  }

  private mutating func ownerID() -> Int { random.next(25) - 5 }
  /// Some names are longer than an index entry keeps.
  private mutating func petName() -> String {
    let number = random.next(25)
    return number % 5 == 0 ? String(repeating: "Long ", count: 60) + "\(number)" : "pet \(number)"
  }
  private mutating func existingPet() -> String? { Self.pick(contents.pets.keys.sorted(), &random) }
  private mutating func existingOwner() -> Int? { Self.pick(contents.owners.keys.sorted(), &random) }

  private static func pick<Value>(_ values: [Value], _ random: inout StressRandom) -> Value? {
    values.isEmpty ? nil : values[random.next(values.count)]
  }

  private mutating func ownerValue() -> ModelContents.Owner {
    var value = ModelContents.Owner()
    value.name =
      random.next(4) == 0 ? nil : String(repeating: "n", count: random.next(3) * 130) + "\(random.next(9))"
    if random.next(2) == 0 { value.pet = existingPet() }
    for _ in 0..<random.next(6) {
      if let pet = existingPet() { value.pets.append(pet) }
    }
    if random.next(2) == 0 { value.home = home() }
    return value
  }

  private mutating func petValue() -> ModelContents.Pet {
    var value = ModelContents.Pet()
    value.weight = Double(random.next(2000) - 1000) / 8
    if random.next(2) == 0 { value.owner = existingOwner() }
    for _ in 0..<random.next(4) {
      if let pet = existingPet() { value.friends.insert(pet) }
    }
    for _ in 0..<random.next(4) { value.tags["tag \(random.next(6))"] = random.next(100) }
    return value
  }

  // MARK: Objects

  private func find(_ name: String, _ scope: AccessScope?) throws -> RandomPet? {
    if let scope { return try scope.object(ofType: RandomPet.self, forPrimaryKey: name) }
    return repository.object(ofType: RandomPet.self, forPrimaryKey: name)
  }

  private func find(_ id: Int, _ scope: AccessScope?) throws -> ModelOwner? {
    if let scope { return try scope.object(ofType: ModelOwner.self, forPrimaryKey: id) }
    return repository.object(ofType: ModelOwner.self, forPrimaryKey: id)
  }

  private func fill(_ owner: ModelOwner, _ value: ModelContents.Owner, _ scope: AccessScope?) throws {
    owner.name = value.name
    owner.pet = try value.pet.flatMap { try find($0, scope) }
    owner.pets.removeAll()
    owner.pets.append(objectsIn: try value.pets.compactMap { try find($0, scope) })
    owner.home = value.home?.object
  }

  private func fill(_ pet: RandomPet, _ value: ModelContents.Pet, _ scope: AccessScope?) throws {
    pet.weight = value.weight
    pet.owner = try value.owner.flatMap { try find($0, scope) }
    pet.friends.removeAll()
    for friend in value.friends {
      if let friend = try find(friend, scope) { pet.friends.insert(friend) }
    }
    pet.tags.removeAll()
    for (key, tag) in value.tags { pet.tags[key] = tag }
  }

  private func save(_ object: Object, _ policy: UpdatePolicy = .all) throws {
    var outcome: Result<Bool, any Error> = .success(false)
    repository.save(entity: object, update: policy) { outcome = $0 }
    _ = try outcome.get()
  }

  // MARK: Operations

  private mutating func saveOwner() throws {
    let id = ownerID()
    let owner = ModelOwner()
    owner.id = id
    var value = ownerValue()
    try fill(owner, value, nil)
    if random.next(3) == 0 {
      // A new object that is linked is saved too.
      let name = petName()
      if contents.pets[name] == nil {
        let pet = RandomPet()
        pet.name = name
        pet.owner = owner
        owner.pets.append(pet)
        value.pets.append(name)
        contents.pets[name] = ModelContents.Pet(owner: id)
      }
    }
    try save(owner)
    contents.owners[id] = value
  }

  private mutating func savePet() throws {
    let name = petName()
    let pet = RandomPet()
    pet.name = name
    let value = petValue()
    try fill(pet, value, nil)
    try save(pet)
    contents.pets[name] = value
  }

  private mutating func saveNote() throws {
    if random.next(2) == 0, let mark = Self.pick(contents.notes.keys.sorted(), &random) {
      // A note that is there, written back under its row id.
      guard let note = try note(mark) else { return }
      note.text = "changed \(random.next(100))"
      note.places.append(home().object)
      try save(note, random.next(2) == 0 ? .all : .error)
      contents.notes[mark]?.text = note.text
      contents.notes[mark]?.places = note.places.map(ModelContents.Home.init)
      return
    }
    let note = RandomNote()
    note.mark = nextMark
    nextMark += 1
    note.text = "note \(random.next(20))"
    var value = ModelContents.Note(text: note.text)
    if let owner = existingOwner() {
      note.about = try find(owner, nil)
      value.about = owner
    }
    for _ in 0..<random.next(3) { value.places.append(home()) }
    note.places.append(objectsIn: value.places.map(\.object))
    try save(note)
    contents.notes[note.mark] = value
  }

  private func note(_ mark: Int) throws -> RandomNote? {
    repository.queryAll(returningClass: RandomNote.self)?.first { $0.mark == mark }
  }

  private mutating func saveModified() throws {
    guard let id = existingOwner(), let owner = try find(id, nil) else { return }
    if random.next(2) == 0 {
      let name = "modified \(random.next(100))"
      owner.name = name
      contents.owners[id]?.name = name
    }
    if random.next(2) == 0 {
      owner.home?.floor = 77
      contents.owners[id]?.home?.floor = 77
    }
    if random.next(3) == 0, let pet = existingPet(), let object = try find(pet, nil) {
      owner.pets.insert(object, at: 0)
      contents.owners[id]?.pets.insert(pet, at: 0)
    }
    try save(owner, .modified)
  }

  private mutating func deleteOne() throws {
    var outcome: Result<Bool, any Error> = .success(true)
    switch random.next(3) {
    case 0:
      guard let id = existingOwner(), let owner = try find(id, nil) else { return }
      repository.delete(entity: owner) { outcome = $0 }
      contents.deleteOwner(id)
    case 1:
      guard let name = existingPet(), let pet = try find(name, nil) else { return }
      repository.delete(entity: pet) { outcome = $0 }
      contents.deletePet(name)
    default:
      guard let mark = Self.pick(contents.notes.keys.sorted(), &random), let note = try note(mark) else {
        return
      }
      repository.delete(entity: note) { outcome = $0 }
      contents.notes[mark] = nil
    }
    _ = try outcome.get()
  }

  private mutating func deleteAll() throws {
    var outcome: Result<Bool, any Error> = .success(true)
    switch random.next(3) {
    case 0:
      repository.deleteAll(deleteObjClass: ModelOwner.self) { outcome = $0 }
      for id in Array(contents.owners.keys) { contents.deleteOwner(id) }
    case 1:
      repository.deleteAll(deleteObjClass: RandomPet.self) { outcome = $0 }
      for name in Array(contents.pets.keys) { contents.deletePet(name) }
    default:
      repository.deleteAll(deleteObjClass: RandomNote.self) { outcome = $0 }
      contents.notes = [:]
    }
    _ = try outcome.get()
  }

  /// A save that has to fail as a whole.
  private mutating func refuse() throws {
    guard let id = existingOwner() else { return }
    let new = RandomPet()
    new.name = "refused"
    let taken = ModelOwner()
    taken.id = id
    taken.pets.append(new)
    var outcome: Result<Bool, any Error> = .success(true)
    repository.save(entities: [new, taken], update: false) { outcome = $0 }
    guard case .failure(let error as FiefError) = outcome, error.code == .duplicatePrimaryKey else {
      throw FiefError(.storage, "A duplicate key was not refused.", details: ["\(outcome)"])
    }
  }

  private mutating func write() throws {
    var next = self
    let isKept = random.next(3) > 0
    let count = 1 + random.next(6)
    do {
      try repository.write { transaction in
        next = self
        for _ in 0..<count { try next.change(transaction) }
        if !isKept { throw Undo() }
      }
      contents = next.contents
    } catch is Undo {}
    random = next.random
    nextMark = next.nextMark
  }

  private mutating func change(_ transaction: WriteTransaction) throws {
    switch random.next(8) {
    case 0, 1:
      guard let id = existingOwner(), let owner = try find(id, transaction) else { return }
      let value = ownerValue()
      try fill(owner, value, transaction)
      contents.owners[id] = value
    case 2:
      guard let name = existingPet(), let pet = try find(name, transaction) else { return }
      let value = petValue()
      try fill(pet, value, transaction)
      contents.pets[name] = value
    case 3:
      guard let name = existingPet(), let pet = try find(name, transaction) else { return }
      try transaction.delete(pet)
      contents.deletePet(name)
    case 4:
      guard let id = existingOwner(), let owner = try find(id, transaction) else { return }
      try transaction.delete(owner)
      contents.deleteOwner(id)
    case 5:
      let id = ownerID()
      let name = "created \(random.next(10))"
      try transaction.create(ModelOwner.self, value: ["id": id, "name": name], update: .modified)
      contents.owners[id, default: ModelContents.Owner()].name = name
    case 6:
      let note = RandomNote()
      note.mark = nextMark
      nextMark += 1
      try transaction.add(note)
      note.text = "live"
      contents.notes[note.mark] = ModelContents.Note(text: "live")
    default:
      guard let id = existingOwner(), let owner = try find(id, transaction) else { return }
      let owned = Set(owner.owned.map(\.name))
      guard owned == contents.owned(by: id) else {
        throw FiefError(.storage, "The inverse is wrong inside of a write.", details: ["\(id): \(owned)"])
      }
    }
  }
}
