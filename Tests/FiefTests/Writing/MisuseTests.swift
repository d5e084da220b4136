import Fief
import FiefTesting
import Foundation
import Testing

/// Values that the compiler lets through and a store cannot keep, or only by a rule.
@Suite struct MisuseTests {
  let repository = MisuseRepository()

  private func end() throws {
    #expect(try repository.check().problems == [])
    repository.close()
  }

  @Test func anObjectOfASubclassIsNoLinkToTheBaseClass() throws {
    try repository.saveNow([MisuseAnimal(1, "cat")])
    let zoo = MisuseZoo()
    zoo.star = MisuseDog(1, "dog")
    var error = try #require(repository.failure([zoo]))
    #expect(error.code == .invalidValue && error.store == "misuse" && error.type == "MisuseZoo")
    #expect(error.property == "star" && error.key == "0", "\(error)")
    zoo.star = nil
    zoo.animals.append(MisuseDog(1, "dog"))
    error = try #require(repository.failure([zoo]))
    #expect(error.code == .invalidValue && error.property == "animals", "\(error)")
    zoo.animals.removeAll()
    zoo.box = MisuseLargeBox()
    error = try #require(repository.failure([zoo]))
    #expect(error.code == .invalidValue && error.property == "box", "\(error)")
    #expect(try repository.count(MisuseZoo.self) == 0 && repository.count(MisuseDog.self) == 0)
    zoo.box = MisuseBox()
    try repository.saveNow([zoo, MisuseDog(1, "dog")])
    try end()
  }

  @Test func embeddedObjectsInsideOfEachOtherHaveALimit() throws {
    func nested(_ depth: Int) -> (zoo: MisuseZoo, boxes: [MisuseBox]) {
      let zoo = MisuseZoo()
      var boxes = [MisuseBox()]
      for index in 1..<depth {
        boxes.append(MisuseBox())
        boxes[index].inner = boxes[index - 1]
      }
      zoo.box = boxes.last
      return (zoo, boxes)
    }
    let tooDeep = nested(20_000)
    let error = repository.failure([tooDeep.zoo])
    #expect(error?.code == .invalidValue && error?.property == "inner", "\(String(describing: error))")
    // Taken apart, since the system releases a chain by recursion.
    for box in tooDeep.boxes { box.inner = nil }
    try repository.saveNow([nested(128).zoo])
    var depth = 0
    var box = repository.object(ofType: MisuseZoo.self, forPrimaryKey: 0)?.box
    while let present = box {
      depth += 1
      box = present.inner
    }
    #expect(depth == 128)
    try end()
  }

  @Test func anAddedObjectBesideTheLiveOneOfItsKeyChangesThatOne() throws {
    try repository.saveNow([MisuseAnimal(1, "one")])
    try repository.write { transaction in
      let live = try #require(try transaction.object(ofType: MisuseAnimal.self, forPrimaryKey: 1))
      let added = MisuseAnimal(1, "two")
      try transaction.add(added, update: .all)
      #expect(live.name == "two")
      live.legs = 3
      added.name = "three"
      #expect(try transaction.count(MisuseAnimal.self) == 1)
      #expect(live.name == "three" && live.legs == 3)
    }
    #expect(repository.animal(1)?.name == "three" && repository.animal(1)?.legs == 3)
    try end()
  }

  @Test func deletingWhileIteratingSkipsWhatIsGone() throws {
    try repository.saveNow((0..<100).map { MisuseAnimal($0) })
    var seen: [Int] = []
    try repository.write { transaction in
      try transaction.objects(MisuseAnimal.self).forEachObject { animal in
        seen.append(animal.id)
        try transaction.delete(animal)
        if let next = try transaction.object(ofType: MisuseAnimal.self, forPrimaryKey: seen.count * 2 - 1) {
          try transaction.delete(next)
        }
      }
    }
    #expect(seen == Array(stride(from: 0, to: 100, by: 2)))
    #expect(try repository.count(MisuseAnimal.self) == 0)
    try end()
  }

  @Test func aSetKnowsItsObjectsAfterTheyGotTheirKeys() throws {
    let zoo = MisuseZoo()
    let tags = (0..<200).map { _ in MisuseTag() }
    zoo.tags.insert(objectsIn: tags)
    try repository.saveNow([zoo])
    #expect(tags.allSatisfy(zoo.tags.contains))
    zoo.tags.insert(objectsIn: tags)
    #expect(zoo.tags.count == 200)
    for tag in tags.prefix(150) { zoo.tags.remove(tag) }
    try repository.saveNow([zoo])
    #expect(repository.object(ofType: MisuseZoo.self, forPrimaryKey: 0)?.tags.count == 50)
    try end()
  }

  @Test func primaryKeysMayChangeInsideOfASet() throws {
    let owner = MisuseHerd()
    let animals = (0..<200).map { MisuseAnimal($0) }
    owner.animals.insert(objectsIn: animals)
    for animal in animals { animal.id = 1_000 + animal.id / 2 }
    owner.animals.insert(objectsIn: (200..<400).map { MisuseAnimal($0) })
    for animal in animals.prefix(20) { owner.animals.remove(animal) }
    try repository.saveNow([owner])
    #expect(repository.queryAll(returningClass: MisuseHerd.self)?.first?.animals.count == 300)
    try end()
  }

  @Test func anErrorInsideOfAWriteNamesTheStore() throws {
    var error: FiefError?
    try repository.write { _ in error = repository.failure([MisuseTag()]) }
    #expect(error?.code == .nestedWrite && error?.store == "misuse")
    try end()
  }

  @Test func anOpenStoreIsOfOneVersion() throws {
    try repository.saveNow([MisuseTag()])
    var other = repository
    other.schemaVersion = 2
    #expect(other.store().openingError?.code == .migrationRequired)
    #expect(other.store().openingError?.store == "misuse")
    #expect(other.failure([MisuseTag()])?.code == .migrationRequired)
    other.schemaVersion = nil
    #expect(other.store().openingError?.code == .versionTooLow)
    #expect(try repository.count(MisuseTag.self) == 1)
    try end()
  }

  @Test func manyObjectsWithoutKeysAreReservedForAtOnce() throws {
    let tags = (0..<5_000).map { _ in MisuseTag() }
    try repository.saveNow(tags)
    #expect(try repository.count(MisuseTag.self) == 5_000)
    // One commit for the ids, one for the objects.
    #expect(try repository.overview().metrics.commits == 2)
    try end()
  }

  @Test func observersHearOfTheNetChangesOfNestedParts() throws {
    try repository.saveNow([MisuseAnimal(1), MisuseAnimal(2), MisuseAnimal(3)])
    let heard = Heard()
    let token = try repository.observe { heard.note($0) }
    try repository.write { transaction in
      let zoo = MisuseZoo()
      zoo.animals.append(objectsIn: [MisuseAnimal(4), MisuseAnimal(5)])
      let first = try #require(try transaction.object(ofType: MisuseAnimal.self, forPrimaryKey: 1))
      try transaction.delete(first)
      try transaction.add(zoo)
      let other = MisuseZoo(value: ["id": 1])
      other.animals.append(objectsIn: [MisuseAnimal(1, "again"), MisuseAnimal(2, "changed")])
      try transaction.add(other, update: .all)
      try transaction.delete(zoo.animals.first ?? MisuseAnimal(9))
    }
    try repository.store().waitUntilDelivered()
    withExtendedLifetime(token) {}
    let changes = try #require(heard.all.first)[MisuseAnimal.self]
    #expect(changes.inserted.map(\.description) == ["5"])
    #expect(changes.modified.map(\.description).sorted() == ["1", "2"])
    #expect(changes.deleted.isEmpty)
    try end()
  }

  @MainActor @Test func whatIsAssignedWhileASaveWaitsIsNotLost() async throws {
    let animal = MisuseAnimal(1, "one")
    try await repository.save(entity: animal, update: .all)
    try repository.store().pauseWrites()
    animal.name = "two"
    let saving = Task { try await repository.save(entity: animal, update: .modified) }
    while try repository.store().writeQueueStatistics().pending == 0 { await Task.yield() }
    animal.legs = 3
    try repository.store().resumeWrites()
    _ = try await saving.value
    try await repository.save(entity: animal, update: .modified)
    #expect(repository.animal(1)?.name == "two" && repository.animal(1)?.legs == 3)

    try repository.store().failNextWrites(1, with: FiefError(.storage, "Injected."))
    animal.name = "four"
    await #expect(throws: FiefError.self) { try await repository.save(entity: animal, update: .modified) }
    try await repository.save(entity: animal, update: .modified)
    #expect(repository.animal(1)?.name == "four")
    try end()
  }
}

private final class Heard: Sendable {
  private let state = Lock<[ChangeSet]>([])
  var all: [ChangeSet] { state.withLock { $0 } }
  func note(_ changes: ChangeSet) { state.withLock { $0.append(changes) } }
}
