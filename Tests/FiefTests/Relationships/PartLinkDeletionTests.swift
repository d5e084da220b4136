import Fief
import Testing

final class LinkedPart: EmbeddedObject {
  @Persisted var text = ""
  @Persisted var target: LinkedTarget?
  @Persisted var list: List<LinkedTarget>
  @Persisted var set: MutableSet<LinkedTarget>
  @Persisted var map: Map<String, LinkedTarget?>
  @Persisted var inner: InnerPart?

  /// The keys of what it links, by the property.
  var content: String {
    let mapped = map.keys.sorted().map { "\($0) \(map[$0].flatMap { $0?.id } ?? -1)" }
    return
      "\(target?.id ?? -1) \(list.map(\.id)) \(set.map(\.id).sorted()) \(mapped) \(inner?.target?.id ?? -1)"
  }
}

final class InnerPart: EmbeddedObject {
  @Persisted var target: LinkedTarget?
}

final class LinkedTarget: Object {
  @Persisted(primaryKey: true) var id = 0

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

final class PartOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var part: LinkedPart?
  @Persisted var parts: List<LinkedPart>
  @Persisted var partMap: Map<String, LinkedPart?>
}

/// Links inside of embedded objects whose objects are deleted in the write in which they were read before.
@Suite struct PartLinkDeletionTests {
  private static let full = #"1 [1, 2] [1, 2] ["one 1", "two 2"] 1"#
  private static let without = #"-1 [2] [2] ["one -1", "two 2"] -1"#

  private struct Rollback: Error {}

  private func forBoth(_ body: (RuleRepository) throws -> Void) throws {
    try RuleRepository.forBoth(
      [PartOwner.self, LinkedTarget.self],
      embedded: [LinkedPart.self, InnerPart.self],
      body
    )
  }

  private func fill(_ repository: RuleRepository) throws {
    try repository.write { transaction in
      let targets = [LinkedTarget(1), LinkedTarget(2)]
      try transaction.add(targets)
      func part() -> LinkedPart {
        let part = LinkedPart()
        part.target = targets[0]
        part.list.append(objectsIn: targets)
        part.set.insert(objectsIn: targets)
        part.map["one"] = targets[0]
        part.map["two"] = targets[1]
        part.inner = InnerPart(value: ["target": targets[0]])
        return part
      }
      let owner = PartOwner()
      owner.part = part()
      owner.parts.append(part())
      owner.partMap["key"] = part()
      try transaction.add(owner)
    }
  }

  private func contents(of owner: PartOwner?) -> [String?] {
    [owner?.part?.content, owner?.parts.first?.content, (owner?.partMap["key"] ?? nil)?.content]
  }

  private func all(_ content: String) -> [String?] { [content, content, content] }

  @Test("they lead to nothing from the deletion on", arguments: [true, false])
  func deletion(isSaved: Bool) throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        #expect(contents(of: owner) == all(Self.full))
        let target = try #require(owner?.part?.target)
        try transaction.delete(target)
        #expect(contents(of: owner) == all(Self.without))
        // Writes the links of the parts as they were read.
        if isSaved { owner?.part?.text = "saved" }
        #expect(contents(of: owner) == all(Self.without))
      }
      #expect(contents(of: repository.object(ofType: PartOwner.self, forPrimaryKey: 0)) == all(Self.without))
    }
  }

  @Test("they lead to nothing after all objects were deleted")
  func deletionOfAll() throws {
    try forBoth { repository in
      try fill(repository)
      let none = all(#"-1 [] [] ["one -1", "two -1"] -1"#)
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        #expect(contents(of: owner) == all(Self.full))
        try transaction.deleteAll(LinkedTarget.self)
        #expect(contents(of: owner) == none)
      }
      #expect(contents(of: repository.object(ofType: PartOwner.self, forPrimaryKey: 0)) == none)
    }
  }

  @Test("they lead to nothing where they were given in the same write")
  func givenLinks() throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0))
        let new = LinkedTarget(3)
        owner.part?.target = new
        owner.part?.list.append(new)
        owner.part?.inner = InnerPart(value: ["target": new])
        #expect(owner.part?.content == #"3 [1, 2, 3] [1, 2] ["one 1", "two 2"] 3"#)
        try transaction.delete(new)
        #expect(owner.part?.content == #"-1 [1, 2] [1, 2] ["one 1", "two 2"] -1"#)
        owner.part?.text = "saved"
      }
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 3) == nil)
      let stored = repository.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part
      #expect(stored?.content == #"-1 [1, 2] [1, 2] ["one 1", "two 2"] -1"#)
    }
  }

  @Test("they lead to nothing where the deleted object was read before the write")
  func objectReadBefore() throws {
    try forBoth { repository in
      try fill(repository)
      try repository.saveAndWait(entity: LinkedTarget(3), update: false)
      let target = try #require(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 3))
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0))
        owner.part?.target = target
        owner.part?.list.append(target)
        try transaction.delete(target)
        #expect(owner.part?.content == #"-1 [1, 2] [1, 2] ["one 1", "two 2"] 1"#)
      }
    }
  }

  @Test("an older link of the record does not come back")
  func olderRecord() throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0))
        let part = try #require(owner.part)
        let targets = Array(part.list)
        part.target = targets[1]
        // Saves it.
        #expect(try transaction.count(LinkedTarget.self) == 2)
        try transaction.delete(targets)
        try transaction.add(LinkedTarget(1))
        #expect(part.target == nil)
        part.text = "saved"
      }
      #expect(repository.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part?.target == nil)
    }
  }

  @Test("a copy of a part does not bring back what all was deleted with")
  func deletionOfEverything() throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        let part = try #require(owner?.part)
        #expect(part.content == Self.full)
        try transaction.deleteAll()
        try transaction.create(PartOwner.self, value: ["id": 5, "part": part])
      }
      #expect(try repository.read { try $0.count(LinkedTarget.self) } == 0)
    }
  }

  @Test("a collection that had the deleted object does not bring it back elsewhere")
  func copiedLinks() throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0))
        let part = try #require(owner.part)
        #expect(part.content == Self.full)
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        let other = LinkedPart()
        other.list = part.list
        other.set = part.set
        other.target = part.target
        owner.parts.append(other)
        try transaction.create(PartOwner.self, value: ["id": 5, "part": part])
      }
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 1) == nil)
      let owner = repository.object(ofType: PartOwner.self, forPrimaryKey: 0)
      #expect(owner?.parts.last?.content == #"-1 [2] [2] [] -1"#)
      #expect(repository.object(ofType: PartOwner.self, forPrimaryKey: 5)?.part?.content == Self.without)
    }
  }

  @Test("a part that is held after the write shows what it showed in it")
  func heldPart() throws {
    try forBoth { repository in
      try fill(repository)
      var part: LinkedPart?
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        part = owner?.part
        #expect(part?.content == Self.full)
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        #expect(part?.content == Self.without)
      }
      #expect(part?.content == Self.without)
    }
  }

  @Test("they are there again after the write was rolled back")
  func rollback() throws {
    try forBoth { repository in
      try fill(repository)
      var owner: PartOwner?
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
          #expect(contents(of: owner) == all(Self.full))
          try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
          #expect(contents(of: owner) == all(Self.without))
          throw Rollback()
        }
      }
      #expect(contents(of: owner) == all(Self.full))
      #expect(contents(of: repository.object(ofType: PartOwner.self, forPrimaryKey: 0)) == all(Self.full))
    }
  }

  @Test("parts that are held after a write that was rolled back have their links", arguments: [true, false])
  func rollbackOfHeldParts(deletesAll: Bool) throws {
    try forBoth { repository in
      try fill(repository)
      var part: LinkedPart?
      let new = PartOwner(value: ["id": 7])
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          part = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part
          #expect(part?.content == Self.full)
          let target = try transaction.object(ofType: LinkedTarget.self, forPrimaryKey: 1)
          new.part = LinkedPart(value: ["target": target as Any, "list": [target as Any]])
          try transaction.add(new)
          if deletesAll {
            try transaction.deleteAll(LinkedTarget.self)
          } else {
            try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
          }
          #expect(new.part?.target == nil && new.part?.list.isEmpty == true)
          throw Rollback()
        }
      }
      #expect(part?.content == Self.full)
      #expect(new.part?.target?.id == 1 && new.part?.list.first?.id == 1)
      try repository.write { try $0.add(new) }
      let stored = repository.object(ofType: PartOwner.self, forPrimaryKey: 7)?.part
      #expect(stored?.target?.id == 1 && stored?.list.first?.id == 1)
    }
  }

  @Test("an object that was read before and joins a write that is rolled back has its former links")
  func rollbackOfJoinedObjects() throws {
    try forBoth { repository in
      try fill(repository)
      let owner = try #require(repository.object(ofType: PartOwner.self, forPrimaryKey: 0))
      #expect(owner.part?.content == Self.full)
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          let new = LinkedTarget(3)
          owner.part?.list.append(new)
          owner.part?.target = new
          owner.part?.inner?.target = new
          #expect(owner.part?.content == #"3 [1, 2, 3] [1, 2] ["one 1", "two 2"] 3"#)
          try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1, 3])
          #expect(owner.part?.content == #"-1 [2] [2] ["one -1", "two 2"] -1"#)
          throw Rollback()
        }
      }
      #expect(contents(of: owner) == all(Self.full))
    }
  }

  @Test("links to one object lead to another one that gets its key", arguments: [true, false])
  func storedAgain(isSame: Bool) throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        #expect(contents(of: owner) == all(Self.full))
        let target = try #require(try transaction.object(ofType: LinkedTarget.self, forPrimaryKey: 1))
        try transaction.delete(target)
        #expect(contents(of: owner) == all(Self.without))
        try transaction.add(isSame ? target : LinkedTarget(1))
        #expect(owner?.part?.target?.id == 1)
      }
      #expect(contents(of: repository.object(ofType: PartOwner.self, forPrimaryKey: 0)) == all(Self.full))
    }
  }

  @Test("a part that was read before the write does not bring a deleted object back")
  func copyOfPartReadBefore() throws {
    try forBoth { repository in
      try fill(repository)
      let owner = try #require(repository.object(ofType: PartOwner.self, forPrimaryKey: 0))
      let part = try #require(owner.part)
      try repository.write { transaction in
        // Its links are followed here.
        #expect(part.content == Self.full)
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        #expect(part.content == Self.without)
        try transaction.create(PartOwner.self, value: ["id": 5, "part": part])
      }
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 1) == nil)
      #expect(repository.object(ofType: PartOwner.self, forPrimaryKey: 5)?.part?.content == Self.without)
      withExtendedLifetime(owner) {}
    }
  }

  @Test("collections that were held before the write do not bring a deleted object back")
  func copyOfCollectionsHeldBefore() throws {
    try forBoth { repository in
      try fill(repository)
      let owner = try #require(repository.object(ofType: PartOwner.self, forPrimaryKey: 0))
      let part = try #require(owner.part)
      let (list, set, map) = (part.list, part.set, part.map)
      try repository.write { transaction in
        #expect(list.map(\.id) == [1, 2] && set.count { $0.id < 3 } == 2 && (map["one"] ?? nil)?.id == 1)
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        try transaction.create(PartOwner.self, value: ["id": 5, "part": part])
      }
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 1) == nil)
      let stored = repository.object(ofType: PartOwner.self, forPrimaryKey: 5)?.part
      #expect(stored?.list.map(\.id) == [2] && stored?.set.map(\.id) == [2])
      withExtendedLifetime(owner) {}
    }
  }

  @Test("a part that is given after the deletion links nothing", arguments: [true, false])
  func partGivenLater(wasInObject: Bool) throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0))
        let target = try #require(try transaction.object(ofType: LinkedTarget.self, forPrimaryKey: 1))
        let part = wasInObject ? try #require(owner.part) : LinkedPart()
        if wasInObject { owner.part = nil }
        part.target = target
        part.list.append(target)
        try transaction.delete(target)
        owner.part = part
        // Writes the part.
        #expect(try transaction.count(LinkedTarget.self) == 1)
        #expect(owner.part?.target == nil && owner.part?.list.contains { $0.id == 1 } == false)
        try transaction.create(PartOwner.self, value: ["id": 5, "part": part])
      }
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 1) == nil)
      let parts = [0, 5].map { repository.object(ofType: PartOwner.self, forPrimaryKey: $0)?.part }
      #expect(
        parts.allSatisfy { $0 != nil && $0?.target == nil && $0?.list.contains { $0.id == 1 } == false }
      )
    }
  }

  @Test("links in collections lead to another object that gets the key", arguments: [true, false])
  func storedAgainInCollections(isSaved: Bool) throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        #expect(contents(of: owner) == all(Self.full))
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        #expect(contents(of: owner) == all(Self.without))
        try transaction.add(LinkedTarget(1))
        if isSaved { owner?.part?.text = "saved" }
      }
      #expect(contents(of: repository.object(ofType: PartOwner.self, forPrimaryKey: 0)) == all(Self.full))
    }
  }

  @Test("collections of parts that were read before show another object that gets the key")
  func shownAgainInCollections() throws {
    try forBoth { repository in
      try fill(repository)
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        #expect(contents(of: owner) == all(Self.full))
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        try transaction.add(LinkedTarget(1))
        #expect(contents(of: owner) == all(Self.full))
      }
    }
  }

  @Test("what an added object was given after the deletion stays after a rollback")
  func rollbackKeepsLaterValues() throws {
    try forBoth { repository in
      try fill(repository)
      let new = PartOwner(value: ["id": 7])
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          let one = try #require(try transaction.object(ofType: LinkedTarget.self, forPrimaryKey: 1))
          let two = try #require(try transaction.object(ofType: LinkedTarget.self, forPrimaryKey: 2))
          new.part = LinkedPart(value: ["target": one, "list": [one]])
          try transaction.add(new)
          try transaction.delete(one)
          new.part?.target = two
          new.part?.list.append(two)
          throw Rollback()
        }
      }
      #expect(new.part?.target?.id == 2)
      #expect(new.part?.list.last?.id == 2)
    }
  }

  @Test("parts whose links were dropped are not held by the write")
  func droppedPartsAreReleased() throws {
    struct Held { weak var part: LinkedPart? }
    try forBoth { repository in
      try repository.write { transaction in
        var held: [Held] = []
        for id in 0..<3000 {
          let (owner, target) = (PartOwner(value: ["id": id]), LinkedTarget(id))
          let part = LinkedPart(value: ["target": target])
          owner.part = part
          held.append(Held(part: part))
          try transaction.add(owner)
          try transaction.delete(target)
        }
        #expect(held.count { $0.part != nil } < 1500)
      }
    }
  }
}
