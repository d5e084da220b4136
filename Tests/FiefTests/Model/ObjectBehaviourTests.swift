import Fief
import Foundation
import TestEffort
import Testing

@Suite("Objects")
struct ObjectBehaviourTests {
  @Test("unset properties have the defaults of their types or of their class", arguments: TypedPlace.allCases)
  func defaults(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedDefaults.self, TypedNote.self])
    let before = Date()
    let object = TypedDefaults()
    let after = Date()
    try store.put(object, TypedDefaults())
    store.reopen()
    let found = try store.get(TypedDefaults.self, object.id)
    for object in [object, found] {
      #expect(object.given == "given" && object.number == 42 && object.optional == 7)
      #expect(Array(object.list) == [1, 2] && object.size == .large && object.plainSize == .small)
      #expect(object.level == .low && object.date >= before && object.date <= after)
      #expect(object.decimal == 0 && object.data.isEmpty && object.any == .none && object.cents.amount == 0)
      #expect(object.note == nil)
    }
    #expect(found.id == object.id && found.other == object.other)
    #expect(try store.count(TypedDefaults.self) == 2)
  }

  @Test("unset ids are new ones, the same each time, and valid")
  func generatedIDs() {
    let begin = Date()
    let objects = (0..<1000).map { _ in TypedDefaults() }
    #expect(Set(objects.map(\.id)).count == 1000 && Set(objects.map(\.other)).count == 1000)
    let uuid = objects[0].id
    #expect(objects[0].id == uuid && uuid.uuid.6 >> 4 == 4 && uuid.uuid.8 >> 6 == 2)
    // The time of an id is in whole seconds of a clock that may be a tick behind `Date`.
    let time = objects[0].other.timestamp
    #expect(time >= begin.addingTimeInterval(-1.1) && time <= Date())
    #expect(Set(objects.map { $0.id.uuid.0 }).count > 50)
  }

  @Test("a stored value that no case has reads as the first case, or is left out where it may be")
  func unknownRawValues() throws {
    let store = try TypedStore(.disk, [TypedEarlier.Shape.self])
    let shape = TypedEarlier.Shape()
    shape.kind = "gigantic"
    shape.kinds.append(objectsIn: ["large", "tiny"])
    shape.number = 3
    shape.numbers.append(objectsIn: [2, 3, 4])
    try store.put(shape)
    let later = try store.get(TypedLater.Shape.self, 0)
    #expect(later.kind == .small && Array(later.kinds) == [.large])
    #expect(later.number == nil && later.numbers.map(\.number) == [2, 4])
    // Properties that were not assigned are saved as they were stored.
    try store.put(later)
    let kept = try store.get(TypedEarlier.Shape.self, 0)
    #expect(kept.kind == "gigantic" && Array(kept.kinds) == ["large", "tiny"])
    #expect(kept.number == 3 && Array(kept.numbers) == [2, 3, 4])
  }

  @Test("keys of every type", arguments: TypedPlace.allCases)
  func keys(place: TypedPlace) throws {
    let store = try TypedStore(
      place,
      [
        TypedStringKey.self, TypedUUIDKey.self, TypedObjectIdKey.self, TypedOptionalKey.self,
        TypedInt8Key.self, TypedScalars.self,
      ]
    )
    for (index, key) in ["", "\u{0}", "a\u{0}", "a", "👩‍👩‍👧", String(repeating: "k", count: 400)].enumerated() {
      try store.put(TypedStringKey(value: ["key": key, "number": index]))
      #expect(try store.get(TypedStringKey.self, key).number == index)
      #expect(try store.get(TypedStringKey.self, key).key == key)
    }
    for key in TypedSamples.ints {
      try store.put(TypedScalars(value: ["id": key, "int": key]))
      #expect(try store.get(TypedScalars.self, key).int == key)
    }
    #expect(try #require(store.queryAll(returningClass: TypedScalars.self)).map(\.id) == TypedSamples.ints)
    for key in TypedSamples.int8s { try store.put(TypedInt8Key(value: ["key": key])) }
    #expect(try #require(store.queryAll(returningClass: TypedInt8Key.self)).map(\.key) == TypedSamples.int8s)
    let uuid = UUID()
    try store.put(TypedUUIDKey(value: ["key": uuid, "number": 1]))
    try store.put(TypedUUIDKey(value: ["key": uuid.uuidString, "number": 2]))
    #expect(try store.get(TypedUUIDKey.self, uuid).number == 2)
    #expect(try store.count(TypedUUIDKey.self) == 1)
    let id = ObjectId()
    try store.put(TypedObjectIdKey(value: ["key": id, "number": 3]))
    #expect(try store.get(TypedObjectIdKey.self, id.stringValue).number == 3)
    try store.put(TypedOptionalKey(), TypedOptionalKey(value: ["key": "", "number": 1]))
    store.reopen()
    let missing = try store.get(TypedOptionalKey.self, Optional<String>.none as Any)
    #expect(missing.key == nil && missing.number == 0)
    #expect(try store.get(TypedOptionalKey.self, "").number == 1)
    let tooLong = TypedStringKey(value: ["key": String(repeating: "k", count: 600)])
    #expect(try typedError { try store.put(tooLong) }.code == .primaryKeyTooLong)
    let wrong = try typedError { _ = try store.get(TypedStringKey.self, 5) }
    #expect(wrong.code == .invalidValue && wrong.type == "TypedStringKey" && wrong.property == "key")
  }

  @Test("compound keys", arguments: TypedPlace.allCases)
  func compoundKeys(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedCompoundKey.self])
    let keys: [(String, Int)] = [("", 0), ("a", 1), ("a", 2), ("a\u{0}", 1), ("ab", -1)]
    for (index, (region, number)) in keys.enumerated() {
      let object = TypedCompoundKey(value: ["region": region, "number": number, "text": "\(index)"])
      if index > 0 { object.next = TypedCompoundKey(value: [keys[0].0, keys[0].1, "0", NSNull()]) }
      try store.put(object)
    }
    try store.putJSON(
      TypedCompoundKey.self,
      #"{"region": "a", "number": 1, "text": "1", "next": ["ab", -1]}"#
    )
    store.reopen()
    #expect(try store.count(TypedCompoundKey.self) == keys.count)
    for (index, (region, number)) in keys.enumerated() {
      let found = try store.get(TypedCompoundKey.self, [region, number] as [Any])
      #expect(found.text == "\(index)" && found.region == region && found.number == number)
    }
    #expect(try store.get(TypedCompoundKey.self, ["a", 1] as [Any]).next?.text == "4")
    let error = try typedError { _ = try store.get(TypedCompoundKey.self, "a") }
    #expect(error.code == .invalidValue)
    try store.put(TypedCompoundKey(value: ["region": "a", "number": 1, "text": "new"]))
    #expect(try store.count(TypedCompoundKey.self) == keys.count)
  }

  @Test("inherited properties are stored; each class is a type of its own", arguments: TypedPlace.allCases)
  func inheritance(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedAnimal.self, TypedCat.self])
    let cat = TypedCat()
    cat.id = 1
    cat.name = "Tom"
    cat.lives = 8
    let rival = TypedAnimal(value: [1, "Jerry"])
    cat.rival = rival
    try store.put(cat)
    store.reopen()
    let found = try store.get(TypedCat.self, 1)
    #expect(found.name == "Tom" && found.lives == 8 && found.rival?.name == "Jerry")
    #expect(try store.get(TypedAnimal.self, 1).name == "Jerry")
  }

  @Test("column names and class names that differ")
  func names() throws {
    #expect(TypedMapped.className() == "TypedMapped" && TypedRenamed.className() == "SomethingElse")
    let store = try TypedStore(.disk, [TypedMapped.self, TypedRenamed.self])
    try store.put(TypedMapped(value: ["first_name": "Ann", "_id": 2]), TypedRenamed(value: [1, "x"]))
    try store.putJSON(TypedMapped.self, #"[{"_id": 3, "first_name": "Bob"}, {"id": 4, "firstName": "Eve"}]"#)
    store.reopen()
    #expect(try store.get(TypedMapped.self, 2).firstName == "Ann")
    #expect(try store.get(TypedMapped.self, 3).firstName == "Bob")
    #expect(try store.get(TypedMapped.self, 4).firstName == "Eve")
    #expect(try store.get(TypedRenamed.self, 1).text == "x")
    let error = try typedError { _ = try store.get(TypedMapped.self, "x") }
    #expect(error.property == "id")
  }

  @Test("ordinary properties stay in the object")
  func transient() throws {
    let store = try TypedStore(.memory, TypedPet.types, embedded: TypedPet.embedded)
    let pet = TypedPet()
    pet.mood = "wild"
    try store.put(pet)
    #expect(pet.mood == "wild")
    #expect(try store.get(TypedPet.self, 0).mood == "calm")
  }

  @Test("objects without a primary key are as many as were saved", arguments: TypedPlace.allCases)
  func rowIDs(place: TypedPlace) throws {
    let store = try TypedStore(place, [TypedNote.self])
    let notes = (0..<300).map { TypedNote(value: ["text": "same", "number": $0]) }
    notes[5].next = notes[7]
    notes[7].next = notes[5]
    try store.put(notes, update: .error)
    #expect(try store.count(TypedNote.self) == 300)
    notes[9].text = "changed"
    try store.put(notes[9], update: .error)
    try store.put(notes[9], update: .all)
    store.reopen()
    let found = try #require(store.queryAll(returningClass: TypedNote.self))
    #expect(found.count == 300 && found.map(\.number).sorted() == Array(0..<300))
    #expect(found.first { $0.text == "changed" }?.number == 9)
    #expect(found.first { $0.number == 5 }?.next?.next?.number == 5)
    let seventh = try #require(found.first { $0.number == 7 })
    seventh.text = "fetched"
    try store.put(seventh, update: .modified)
    #expect(try store.count(TypedNote.self) == 300)
    #expect(found.first { $0.number == 7 }?.text == "fetched")
    let error = try typedError { _ = try store.get(TypedNote.self, 1) }
    #expect(error.code == .missingPrimaryKey)
  }

  @Test("a deep copy keeps cycles and belongs to no store", arguments: [true, false])
  func detached(isStored: Bool) throws {
    let store = try TypedStore(.memory, TypedPet.types, embedded: TypedPet.embedded)
    var pet = TypedPet(value: ["id": 1, "name": "a", "friend": ["id": 2, "name": "b"]])
    pet.friend?.friend = pet
    for name in ["x", "y"] { pet.toySet.insert(TypedToy(value: ["name": name])) }
    pet.toys.append(TypedToy(value: ["name": "x"]))
    pet.toyMap["x"] = .some(pet.toys[0])
    pet.collar = TypedCollar(value: ["color": "blue", "tag": ["text": "t", "lines": ["1", "2"]]])
    pet.collars.append(TypedCollar())
    if isStored {
      try store.put(pet)
      pet = try store.get(TypedPet.self, 1)
    }
    let copy = pet.detached()
    if isStored { store.close() }
    #expect(copy !== pet && copy.friend !== pet.friend)
    #expect(copy.friend?.name == "b" && copy.friend?.friend === copy)
    #expect(Set(copy.toySet.map(\.name)) == ["x", "y"] && copy.toys.map(\.name) == ["x"])
    #expect(copy.toyMap["x"]??.name == "x")
    #expect(copy.collar?.tag?.lines.map { $0 } == ["1", "2"] && copy.collars.count == 1)
    copy.collar?.color = "green"
    copy.toys.removeAll()
    if !isStored { #expect(pet.collar?.color == "blue" && pet.toys.count == 1) }
    let other = try TypedStore(.memory, TypedPet.types, embedded: TypedPet.embedded)
    try other.put(copy)
    #expect(try other.get(TypedPet.self, 1).friend?.friend?.collar?.color == "green")
  }

  @Test("a copy of a chain of thousands of links")
  func detachedChain() throws {
    let store = try TypedStore(.memory, [TypedNote.self])
    let length = TestEffort.count(6_000, more: 20_000)
    let notes = (0..<length).map { TypedNote(value: ["number": $0]) }
    for (note, next) in zip(notes, notes.dropFirst()) { note.next = next }
    try store.put(notes)
    let copy = try #require(store.queryAll(returningClass: TypedNote.self)?.first).detached()
    var count = 1
    var last = copy
    while let next = last.next {
      count += 1
      last = next
    }
    #expect(count == length && last.number == length - 1)
    // Taken apart link by link: releasing a chain at once would be as deep as it is long.
    var rest: TypedNote? = copy
    while let note = rest {
      rest = note.next
      note.next = nil
    }
    for note in notes { note.next = nil }
  }

  @Test("inverses follow links, lists and later changes", arguments: TypedPlace.allCases)
  func inverses(place: TypedPlace) throws {
    let store = try TypedStore(place, TypedPet.types, embedded: TypedPet.embedded)
    let pets = (1...3).map { TypedPet(value: ["id": $0, "name": "p\($0)"]) }
    let ball = TypedToy(value: ["name": "ball"])
    pets[0].toys.append(objectsIn: [ball, ball])
    pets[1].toys.append(ball)
    pets[1].friend = pets[0]
    pets[2].friend = pets[0]
    try store.put(pets)
    store.reopen()
    #expect(try store.get(TypedToy.self, "ball").owners.map(\.id) == [1, 2])
    #expect(try store.get(TypedPet.self, 1).friends.map(\.id) == [2, 3])
    let third = try store.get(TypedPet.self, 3)
    third.friend = nil
    try store.put(third)
    try store.write { transaction in
      let second = try #require(try transaction.object(ofType: TypedPet.self, forPrimaryKey: 2))
      second.toys.removeAll()
      #expect(try transaction.object(ofType: TypedToy.self, forPrimaryKey: "ball")?.owners.map(\.id) == [1])
    }
    #expect(try store.get(TypedPet.self, 1).friends.map(\.id) == [2])
    #expect(try store.get(TypedToy.self, "ball").owners.count == 1)
    #expect(TypedPet().friends.isEmpty)
  }

  @Test("a date that is no number is printed, alone and in collections") func unprintableDates() {
    let date = Date(timeIntervalSinceReferenceDate: .nan)
    let scalars = TypedScalars()
    scalars.date = date
    scalars.any = .date(date)
    let optionals = TypedOptionals()
    optionals.date = date
    let lists = TypedLists()
    lists.date.append(objectsIn: [date, Date(timeIntervalSinceReferenceDate: .infinity)])
    lists.any.append(.date(date))
    let sets = TypedSets()
    sets.date.insert(date)
    let maps = TypedMaps()
    maps.date["one"] = date
    for object: Object in [scalars, optionals, lists, sets, maps] {
      #expect(object.description.contains("not a number"), "\(type(of: object))")
      #expect(!object.comparableText().properties.isEmpty)
    }
    #expect(failure { try TypedScalars(validating: ["int": date]) } is FiefError)
  }
}
