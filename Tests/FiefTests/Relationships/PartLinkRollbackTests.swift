import Fief
import Testing

/// Links inside of embedded objects whose objects are deleted in a write that is rolled back.
@Suite struct PartLinkRollbackTests: PartLinkTests {
  @Test("they are there again after the write was rolled back")
  func rollback() throws {
    try withOwner { repository in
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
    try withOwner { repository in
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
    try withOwner { repository in
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

  @Test("an object with unsaved values that joins after the deletion has its former links")
  func joiningAfterDeletion() throws {
    try withOwner { repository in
      let owner = try #require(repository.object(ofType: PartOwner.self, forPrimaryKey: 0))
      let part = try #require(owner.part)
      part.text = "unsaved"
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          // An object with unsaved values does not join when it is read.
          #expect(part.content == Self.full)
          try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
          owner.parts.first?.text = "joins"
          #expect(part.content == Self.without)
          throw Rollback()
        }
      }
      #expect(part.content == Self.full && part.text == "unsaved")
      #expect(contents(of: owner) == all(Self.full))
    }
  }

  @Test("what an added object was given after the deletion stays after a rollback")
  func rollbackKeepsLaterValues() throws {
    try withOwner { repository in
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

  @Test("what was first read after the deletion is there after a rollback")
  func firstReadAfterDeletion() throws {
    try withOwner { repository in
      let owner = try #require(repository.object(ofType: PartOwner.self, forPrimaryKey: 0))
      let (list, set) = (owner.part?.list, owner.part?.set)
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
          #expect(list?.map(\.id) == [2] && set?.map(\.id) == [2])
          throw Rollback()
        }
      }
      #expect(list?.map(\.id) == [1, 2] && set?.map(\.id).sorted() == [1, 2])
    }
  }

  @Test("the last given link comes back after a rollback", arguments: [true, false])
  func lastGivenLink(isMap: Bool) throws {
    try withOwner { repository in
      let new = PartOwner(value: ["id": 7])
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          let one = try #require(try transaction.object(ofType: LinkedTarget.self, forPrimaryKey: 1))
          let two = try #require(try transaction.object(ofType: LinkedTarget.self, forPrimaryKey: 2))
          new.part = LinkedPart(value: isMap ? ["map": ["one": one]] : ["target": one])
          try transaction.add(new)
          try transaction.delete(one)
          if isMap {
            new.part?.map["one"] = two
          } else {
            new.part?.target = two
            // Saves it.
            #expect(try transaction.count(LinkedTarget.self) == 1)
            try transaction.delete(two)
          }
          throw Rollback()
        }
      }
      #expect((isMap ? new.part?.map["one"] ?? nil : new.part?.target)?.id == 2)
    }
  }

  @Test("a part that is held without its owner has the stored link after a rollback")
  func storedLinkOfHeldPart() throws {
    try withOwner { repository in
      var part: LinkedPart?
      #expect(throws: Rollback.self) {
        try repository.write { transaction in
          part = try transaction.object(ofType: PartOwner.self, forPrimaryKey: 0)?.part
          #expect(part?.target?.id == 1)
          try transaction.delete(ofType: LinkedTarget.self, forPrimaryKeys: [1])
          let new = LinkedTarget(3)
          part?.target = new
          // Saves it.
          #expect(try transaction.count(LinkedTarget.self) == 2)
          try transaction.delete(new)
          throw Rollback()
        }
      }
      #expect(part?.target?.id == 1)
    }
  }
}
