import Fief
import TestEffort
import Testing

/// Links inside of embedded objects whose objects are deleted in the write in which they were read before.
@Suite struct PartLinkDeletionTests: PartLinkTests {
  @Test("they lead to nothing from the deletion on", arguments: [true, false])
  func deletion(isSaved: Bool) throws {
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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

  @Test("links to one object lead to another one that gets its key", arguments: [true, false])
  func storedAgain(isSame: Bool) throws {
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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

  @Test("a part that links a deleted object is refused", arguments: [true, false])
  func partGivenLater(wasInObject: Bool) throws {
    try withOwner { repository in
      let error = #expect(throws: FiefError.self) {
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
          _ = try transaction.count(LinkedTarget.self)
        }
      }
      #expect(error?.code == .objectNotFound && error?.type == "LinkedPart" && error?.property == "target")
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 1) != nil)
    }
  }

  @Test("links in collections lead to another object that gets the key", arguments: [true, false])
  func storedAgainInCollections(isSaved: Bool) throws {
    try withOwner { repository in
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
    try withOwner { repository in
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        #expect(contents(of: owner) == all(Self.full))
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        try transaction.add(LinkedTarget(1))
        #expect(contents(of: owner) == all(Self.full))
      }
    }
  }

  @Test("parts whose links were dropped are not held by the write")
  func droppedPartsAreReleased() throws {
    struct Held { weak var part: LinkedPart? }
    // More than a write keeps before it looks which of them are still held.
    let count = TestEffort.count(1_200, more: 1_800)
    try forBoth { repository in
      try repository.write { transaction in
        var held: [Held] = []
        for id in 0..<count {
          let (owner, target) = (PartOwner(value: ["id": id]), LinkedTarget(id))
          let part = LinkedPart(value: ["target": target])
          owner.part = part
          held.append(Held(part: part))
          try transaction.add(owner)
          try transaction.delete(target)
        }
        #expect(held.count { $0.part != nil } < count / 2)
      }
    }
  }

  @Test("collections that were read after the deletion show another object that gets the key")
  func shownAgainAfterReading() throws {
    try withOwner { repository in
      try repository.write { transaction in
        let owner = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)
        #expect(contents(of: owner) == all(Self.full))
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        #expect(contents(of: owner) == all(Self.without))
        try transaction.add(LinkedTarget(1))
        #expect(contents(of: owner) == all(Self.full))
        try transaction.create(PartOwner.self, value: ["id": 5, "part": try #require(owner?.part)])
      }
      #expect(repository.object(ofType: PartOwner.self, forPrimaryKey: 5)?.part?.content == Self.full)
    }
  }

  @Test("a new object with the key of a deleted one can be inserted into a set")
  func insertedAgain() throws {
    try withOwner { repository in
      try repository.write { transaction in
        let part = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part)
        #expect(part.set.map(\.id).sorted() == [1, 2])
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        part.set.insert(LinkedTarget(1))
        #expect(part.set.map(\.id).sorted() == [1, 2])
      }
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 1) != nil)
      let part = repository.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part
      #expect(part?.set.map(\.id).sorted() == [1, 2])
    }
  }

  @Test("a link to an object whose save is left to the queue stays")
  func linkToWaitingObject() throws {
    try withOwner { repository in
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0))
        let waiting = LinkedTarget(9)
        repository.save(entity: waiting, update: false) { _ in }
        owner.part?.target = waiting
        // Writes the part.
        #expect(try transaction.count(LinkedTarget.self) == 2)
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [2])
        #expect(owner.part?.target?.id == 9)
        owner.part?.text = "saved"
      }
      // Behind the save in the queue.
      try repository.saveAndWait(entity: LinkedTarget(10), update: false)
      #expect(repository.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part?.target?.id == 9)
    }
  }

  @Test("a copy of a part that links a deleted object is refused")
  func copyWithDefault() throws {
    try RuleRepository.forBoth([DefaultLinkOwner.self, LinkedTarget.self], embedded: [DefaultLinkPart.self]) {
      repository in
      try repository.write { transaction in
        let one = LinkedTarget(1)
        try transaction.add(one)
        let part = DefaultLinkPart()
        part.target = one
        try transaction.delete(one)
        let error = #expect(throws: FiefError.self) {
          try transaction.create(DefaultLinkOwner.self, value: ["id": 5, "part": part])
        }
        #expect(error?.code == .objectNotFound && error?.property == "target")
      }
      #expect(repository.object(ofType: DefaultLinkOwner.self, forPrimaryKey: 5) == nil)
      #expect(repository.object(ofType: LinkedTarget.self, forPrimaryKey: 99) == nil)
    }
  }

  @Test("a deleted object may read a part when it is released")
  func readingPartsInDeinit() throws {
    try RuleRepository.forBoth([LoudOwner.self, LoudTarget.self], embedded: [LoudPart.self]) { repository in
      try repository.write { transaction in
        let (gone, kept) = (LoudTarget(value: ["id": -1]), LoudTarget(value: ["id": -2]))
        let owner = LoudOwner(value: ["id": -1])
        owner.part = LoudPart(value: ["target": kept, "list": [gone]])
        try transaction.add(owner)
      }
      let owner = try #require(repository.object(ofType: LoudOwner.self, forPrimaryKey: -1))
      let part = try #require(owner.part)
      let list = part.list
      try repository.write { transaction in
        #expect(list.map(\.id) == [-1])
        try transaction.delete(ofType: LoudTarget.self, forPrimaryKeys: [-1])
        nonisolated(unsafe) var calls = 0
        LoudTarget.deinitHandler = {
          calls += 1
          _ = part.target
        }
        defer { LoudTarget.deinitHandler = nil }
        for id in 0..<TestEffort.count(1_200, more: 1_800) {
          let (other, target) = (LoudOwner(value: ["id": id]), LoudTarget(value: ["id": id]))
          other.part = LoudPart(value: ["target": target])
          try transaction.add(other)
          try transaction.delete(target)
        }
        #expect(calls > 0)
      }
      withExtendedLifetime(owner) {}
    }
  }

  @Test("links and collections that were read before the write follow as well")
  func collectionReadBefore() throws {
    try withOwner { repository in
      let owner = try #require(repository.object(ofType: PartOwner.self, forPrimaryKey: 0))
      let part = try #require(owner.part)
      let list = part.list
      #expect(list.map(\.id) == [1, 2])
      try repository.write { transaction in
        #expect(part.target?.id == 1)
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        #expect(list.map(\.id) == [2])
      }
      withExtendedLifetime(owner) {}
    }
  }

  @Test("a link that leads to nothing is read without saving what waits")
  func readingNothingSavesNothing() throws {
    try withOwner { repository in
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0))
        let part = try #require(owner.part)
        let other = PartOwner(value: ["id": 5])
        try transaction.add(other)
        try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
        #expect(part.list.map(\.id) == [2])
        other.part = part
        #expect(part.list.map(\.id) == [2])
        owner.part = nil
      }
      #expect(repository.object(ofType: PartOwner.self, forPrimaryKey: 5)?.part?.list.map(\.id) == [2])
    }
  }

  @Test("a deleted object that is inserted into a set stays there when it is added again")
  func deletedObjectInsertedThenAdded() throws {
    try withOwner { repository in
      try repository.write { transaction in
        let part = try #require(try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part)
        let one = try #require(part.set.first { $0.id == 1 })
        try transaction.delete(one)
        part.set.insert(one)
        try transaction.add(one)
        #expect(part.set.map(\.id).sorted() == [1, 2])
        part.text = "saved"
      }
      let part = repository.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part
      #expect(part?.set.map(\.id).sorted() == [1, 2])
    }
  }
}
