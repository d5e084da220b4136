import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore
@testable import FiefInspection

/// Derived properties are right after every kind of write.
@Suite(.timeLimit(.minutes(20))) struct DerivedPropertyTests {
  @Test func countsSumsAndExtremesFollowTheMembers() throws {
    try DerivedRepository.forBoth { repository in
      let chat = DerivedChat(1, "Straße ÄÖ")
      let members = [4, 7, 9].enumerated().map { DerivedMember($0, points: $1, chat: chat) }
      try repository.saveNow(members)
      var stored = try repository.chat(1)
      #expect(stored.membersCount == 3 && stored.points == 20 && stored.weight == 2.5)
      #expect(stored.cost == Decimal(20) / 100 && stored.least == 4 && stored.most == 9)
      #expect(stored.firstBorn == Date(timeIntervalSinceReferenceDate: 4) && stored.lastName == "member 2")
      #expect(stored.searchName == "straße äö" && stored.searchTopic == nil)
      try repository.expectRight()

      // A member changes, one goes to another chat, one is deleted.
      members[0].points = 1
      try repository.saveNow([members[0]], .modified)
      #expect(try repository.chat(1).least == 1)
      members[1].chat = DerivedChat(2)
      try repository.saveNow([members[1]])
      try repository.expectRight()
      try repository.deleteNow([members[2]])
      stored = try repository.chat(1)
      #expect(stored.membersCount == 1 && stored.most == 1)
      try repository.expectRight()
      try repository.deleteNow([members[0]])
      stored = try repository.chat(1)
      #expect(stored.membersCount == 0 && stored.points == 0 && stored.most == nil && stored.lastName == nil)
    }
  }

  @Test func ownCollectionsAreCountedAndAdded() throws {
    try DerivedRepository.forBoth { repository in
      let members = (0..<6).map { DerivedMember($0, points: $0 * $0) }
      let chat = DerivedChat(1)
      // One is there twice, and counts twice.
      chat.guests.append(contentsOf: [members[3], members[1], members[3]])
      chat.admins.insert(objectsIn: members)
      chat.roles["a"] = .some(members[2])
      chat.roles["b"] = .some(nil)
      chat.roles["c"] = .some(members[2])
      try repository.saveNow([chat])
      var stored = try repository.chat(1)
      #expect(stored.guestsCount == 3 && stored.guestPoints == 19 && stored.guestMost == 9)
      #expect(stored.adminsCount == 6 && stored.adminPoints == 55 && stored.adminLeast == 0)
      #expect(stored.rolesCount == 3 && stored.rolePoints == 8)
      try repository.expectRight()

      members[3].points = 2
      members[0].points = 100
      try repository.saveNow([members[3], members[0]])
      try repository.expectRight()
      chat.guests.remove(at: 1)
      chat.admins.remove(members[0])
      try repository.saveNow([chat])
      try repository.expectRight()
      try repository.deleteNow([members[3], members[2]])
      stored = try repository.chat(1)
      #expect(stored.guestsCount == 0 && stored.adminPoints == 1 + 16 + 25 && stored.rolePoints == 0)
      try repository.expectRight()
    }
  }

  @Test func everyWayOfWritingKeepsThemRight() throws {
    try DerivedRepository.forBoth { repository in
      try repository.saveNow([DerivedChat(1), DerivedChat(2)])
      // One after another, all at once, in any order of the types.
      for id in 0..<5 { try repository.saveNow([DerivedMember(id, points: id, chat: DerivedChat(1))], .all) }
      try repository.expectRight()
      let third = DerivedChat(3)
      let others = (10..<20).map { id in
        let member = DerivedMember(id, points: id, chat: third)
        member.rooms.append(contentsOf: [third, third])
        return member
      }
      try repository.saveNow([third] + others)
      try repository.expectRight()
      try repository.saveNow([DerivedChat(3)], .all)
      #expect(try repository.chat(3).membersCount == 10)
      // A write, with changes, new objects and deletions.
      try repository.write { transaction in
        let chat = try #require(try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 3))
        let first = try #require(try transaction.object(ofType: DerivedMember.self, forPrimaryKey: 10))
        try transaction.create(DerivedMember.self, value: ["id": 30, "points": -7, "chat": chat])
        first.points = 50
        first.chat = nil
        chat.guests.append(first)
        try transaction.delete(
          try #require(try transaction.object(ofType: DerivedMember.self, forPrimaryKey: 11))
        )
      }
      try repository.expectRight()
      // A write without classes.
      try repository.dynamically { transaction in
        try transaction.put("DerivedMember", ["id": 40, "points": 1000, "chat": 3])
        try transaction.put(
          "DerivedMember",
          json: #"{"id": 12, "points": 500, "rooms": [1, 2, 3]}"#,
          onConflict: .merge
        )
        #expect(try transaction.object(ofType: "DerivedChat", forKey: 3)?.value(of: "most") as? Int == 1000)
        try transaction.delete("DerivedMember", forKey: 13)
        // A value that is given for a derived property is not kept.
        try transaction.put("DerivedChat", ["id": 2, "membersCount": 77], onConflict: .merge)
      }
      try repository.expectRight()
      // All of them.
      try repository.deleteAllNow(DerivedMember.self)
      #expect(try repository.chat(3).membersCount == 0)
      try repository.saveNow([DerivedMember(1, points: 5, chat: DerivedChat(3))])
      try repository.deleteAllNow(DerivedChat.self)
      try repository.saveNow([DerivedChat(3)])
    }
  }

  @Test func aDocumentKeepsThemRight() throws {
    try DerivedRepository.forBoth { repository in
      try repository.importNow(
        #"""
        [{"id": 1, "points": 3, "chat": {"id": 9, "name": "ÉTÉ", "membersCount": 5}}, {"id": 2, "points": 4, "chat": 9}]
        """#
      )
      let chat = try repository.chat(9)
      #expect(chat.membersCount == 2 && chat.points == 7 && chat.searchName == "été")
    }
  }

  @Test func savedObjectsHaveTheValues() throws {
    try DerivedRepository.forBoth { repository in
      let (chat, begin) = (DerivedChat(1, "NAME"), Date())
      chat.membersCount = 99
      let member = DerivedMember(1, points: 4, chat: chat)
      try repository.saveNow([member])
      #expect(chat.membersCount == 1 && chat.points == 4 && chat.searchName == "name")
      let changed = try #require(chat.changedAt)
      // Dates are stored in milliseconds.
      #expect(changed >= begin.addingTimeInterval(-0.001) && changed <= Date().addingTimeInterval(0.001))
      chat.name = "Other"
      chat.points = 3
      try repository.saveNow([chat], .modified)
      #expect(chat.searchName == "other" && chat.points == 4 && !chat.hasAssignedProperties(chat.descriptor))
      #expect(try #require(chat.changedAt) >= changed)
    }
  }

  @Test func asynchronousSavesGiveTheValuesToo() async throws {
    let repository = DerivedRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString))
    let chat = DerivedChat(1, "NAME")
    let member = DerivedMember(1, points: 4, chat: chat)
    try await repository.save(entity: member, update: true)
    #expect(chat.membersCount == 1 && chat.searchName == "name")
    try repository.expectRight()
    repository.closeChecked()
  }

  @Test func theTimeOfTheLastChangeIsThatOfTheObjectsOwnWrites() throws {
    try DerivedRepository.forBoth { repository in
      try repository.saveNow([DerivedChat(1), DerivedChat(2)])
      let first = try #require(try repository.chat(1).changedAt)
      #expect(try repository.chat(2).changedAt == first)
      // A member of it is no change of the chat.
      try repository.saveNow([DerivedMember(1, points: 1, chat: try repository.chat(1))], .all)
      #expect(try repository.chat(1).changedAt == first && repository.chat(1).points == 1)
      Thread.sleep(forTimeInterval: 0.002)
      try repository.saveNow([DerivedChat(1)], .all)
      let second = try #require(try repository.chat(1).changedAt)
      #expect(second > first)
    }
  }

  @Test func aSumThatDoesNotFitIsTheNearestNumber() throws {
    try DerivedRepository.forBoth { repository in
      let chat = DerivedChat(1)
      try repository.saveNow([
        DerivedMember(1, points: .max, chat: chat), DerivedMember(2, points: .max, chat: chat),
      ])
      var stored = try repository.chat(1)
      #expect(stored.points == .max && stored.clamped == 127)
      // A sum that was cut to the range is exact again when it fits.
      try repository.deleteNow([DerivedMember(2)])
      stored = try repository.chat(1)
      #expect(stored.points == .max && stored.membersCount == 1)
      try repository.saveNow([DerivedMember(3, points: -3, chat: chat)])
      #expect(try repository.chat(1).points == .max - 3)
      try repository.saveNow([DerivedMember(1, points: 100, chat: chat)], .all)
      stored = try repository.chat(1)
      #expect(stored.points == 97 && stored.clamped == 97)
      try repository.saveNow([DerivedMember(4, points: .min, chat: chat)])
      #expect(try repository.chat(1).clamped == -128)
      // The doubles of these are rounded.
      try repository.deleteNow([1, 3, 4].map { DerivedMember($0) })
    }
  }

  @Test func derivedOnesMayBeDerivedOfDerivedOnes() throws {
    try DerivedRepository.forBoth { repository in
      let chats = (0..<3).map { DerivedChat($0) }
      let house = DerivedHouse(1, chats + [chats[0]])
      let members = (0..<9).map { DerivedMember($0, points: $0, chat: chats[$0 % 3]) }
      for member in members { member.friend = members[member.id / 2] }
      try repository.saveNow([house] + members)
      #expect(house.membersTotal == 12 && house.hallMembers == 9 && house.changedAt == chats[0].changedAt)
      #expect(members[0].fansCount == 2 && members[4].friendFans == 2 && members[4].friendPoints == 2)
      try repository.expectRight()
      try repository.deleteNow([members[0], chats[1]])
      try repository.expectRight()
      try repository.write { transaction in
        let house = try #require(try transaction.object(ofType: DerivedHouse.self, forPrimaryKey: 1))
        let before = house.membersTotal
        let chat = try #require(house.chats.first)
        try transaction.add(DerivedMember(20, points: 1, chat: chat))
        #expect(house.membersTotal == before + 2 && chat.membersCount == 3)
      }
    }
  }

  @Test func nothingOfAFailedWriteStays() throws {
    try DerivedRepository.forBoth { repository in
      let chat = DerivedChat(1)
      try repository.saveNow([DerivedMember(1, points: 1, chat: chat)])
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try repository.write { transaction in
          try transaction.add(DerivedMember(2, points: 5, chat: DerivedChat(1)), update: .all)
          throw Stop()
        }
      }
      #expect(throws: FiefError.self) {
        try repository.saveNow([DerivedMember(3, points: 5, chat: chat), DerivedMember(1)], .error)
      }
      #expect(try repository.chat(1).membersCount == 1)
    }
  }

  @Test func queriesAndIndexesKnowThem() throws {
    try DerivedRepository.forBoth { repository in
      let chats = (0..<50).map { DerivedChat($0, "Chat \($0 % 5) ÜBER") }
      try repository.saveNow(chats + (0..<200).map { DerivedMember($0, points: $0, chat: chats[$0 % 20]) })
      let found = try repository.read { snapshot in
        snapshot.objects(DerivedChat.self).where { $0.membersCount == 10 }.count
      }
      #expect(found == 20)
      let words = try repository.read { snapshot in
        snapshot.objects(DerivedChat.self).where { $0.searchName.matches("über 3") }.count
      }
      #expect(words == 10)
    }
  }

  @Test func readingThemTouchesNoMember() throws {
    let directory = try TemporaryDirectory()
    let repository = DerivedRepository(realmMemoryType: .inStorage, directory: directory.path)
    defer { repository.close() }
    try repository.saveNow((0..<10).map { DerivedMember($0, points: $0, chat: DerivedChat(1)) }, .all)
    // Damaged records of members.
    let core = try repository.store().core()
    let records = try #require(core.tables["DerivedMember"]?.records)
    try repository.write { transaction in
      for id in 0..<10 {
        try ObjectKey(rowID: Int64(id)).bytes.withUnsafeBytes { key in
          try [UInt8(1)].withUnsafeBytes { try transaction.writer.transaction.put(records, key, $0) }
        }
      }
    }
    let chat = try repository.chat(1)
    #expect(chat.membersCount == 10 && chat.points == 45 && chat.most == 9)
  }

  @Test func theCheckerComparesThem() throws {
    let directory = try TemporaryDirectory()
    let repository = DerivedRepository(realmMemoryType: .inStorage, directory: directory.path)
    defer { repository.close() }
    try repository.saveNow([DerivedMember(1, points: 4, chat: DerivedChat(1, "A"))])
    try repository.write { transaction in
      transaction.writer.derivesNothing = true
      let chat = try #require(try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 1))
      chat.membersCount = 3
      chat.most = nil
      chat.searchName = "A"
    }
    let problems = try repository.check().problems
    #expect(
      problems == [
        "DerivedChat[1]: searchName is A, but its sources give a",
        "DerivedChat[1]: membersCount is 3, but its sources give 1",
        "DerivedChat[1]: most is nil, but its sources give 4",
      ]
    )
  }
}

extension DerivedRepository {
  func dynamically(_ body: (DynamicTransaction) throws -> Void) throws {
    let store = try DynamicStore(directory: try self.store().core().directory, isReadOnly: false)
    defer { store.close() }
    try store.write(body)
  }

  func deleteAllNow(_ type: Object.Type) throws {
    try deleteAllAndWait(deleteObjClass: type)
  }

  func importNow(_ json: String) throws {
    try saveAndWait(saveClass: DerivedMember.self, jsonData: Data(json.utf8), update: true)
  }
}
