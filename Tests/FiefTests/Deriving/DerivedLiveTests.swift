import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefCore

/// Inside of a write, derived properties show what was assigned before.
@Suite(.timeLimit(.minutes(20))) struct DerivedLiveTests {
  @Test func readingRightAfterAnAssignmentGivesTheNewValue() throws {
    try DerivedRepository.forBoth { repository in
      try repository.saveNow([DerivedChat(1), DerivedChat(2)])
      let kept = try repository.write { transaction in
        let first = try #require(try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 1))
        let second = try #require(try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 2))
        let member = try transaction.create(DerivedMember.self, value: ["id": 1, "points": 5])
        #expect(first.membersCount == 0)
        member.chat = first
        #expect(first.membersCount == 1 && first.points == 5 && first.most == 5)
        member.points = 8
        #expect(first.points == 8 && first.most == 8)
        member.chat = second
        #expect(first.membersCount == 0 && first.most == nil && second.membersCount == 1)
        first.guests.append(member)
        #expect(first.guestsCount == 1 && first.guestPoints == 8)
        first.guests.append(member)
        #expect(first.guestsCount == 2 && first.guestPoints == 16)
        member.points = 1
        #expect(first.guestPoints == 2 && second.points == 1)
        first.guests.removeLast()
        #expect(first.guestsCount == 1 && first.guestMost == 1)
        first.name = "NEW"
        #expect(first.searchName == "new" && first.changedAt != nil)
        // The assigned values are overwritten by the write.
        first.points = 1000
        #expect(first.membersCount == 0 && first.points == 0)
        let third = DerivedChat(3, "Third")
        try transaction.add(third)
        try transaction.add(DerivedMember(2, points: 9, chat: third))
        #expect(third.membersCount == 1 && third.searchName == "third")
        // Added beside the live instance.
        let other = DerivedChat(3, "Other")
        try transaction.add(other, update: .all)
        #expect(other.membersCount == 1 && third.membersCount == 1 && third.searchName == "other")
        try transaction.add(DerivedMember(4, points: 2, chat: other))
        #expect(other.membersCount == 2 && third.points == 11 && other.points == 11)
        try transaction.delete(
          try #require(try transaction.object(ofType: DerivedMember.self, forPrimaryKey: 4))
        )
        try transaction.delete(member)
        #expect(second.membersCount == 0 && first.guestsCount == 0 && first.guestMost == nil)
        // The object is not read again before the commit.
        try transaction.add(DerivedMember(3, points: 2, chat: third))
        return Kept(first, second, third)
      }
      #expect(kept.third.membersCount == 2 && kept.third.points == 11)
      #expect(kept.first.guestsCount == 0 && kept.second.points == 0)
      try repository.expectRight()
    }
  }

  private struct Kept {
    let first: DerivedChat
    let second: DerivedChat
    let third: DerivedChat

    init(_ first: DerivedChat, _ second: DerivedChat, _ third: DerivedChat) {
      self.first = first
      self.second = second
      self.third = third
    }
  }

  @Test func whatIsReadByKeyOrByQueryIsRight() throws {
    try DerivedRepository.forBoth { repository in
      try repository.saveNow([DerivedChat(1), DerivedMember(1, points: 3)])
      try repository.write { transaction in
        let member = try #require(try transaction.object(ofType: DerivedMember.self, forPrimaryKey: 1))
        try transaction.add(DerivedMember(2, points: 4, chat: DerivedChat(5)))
        member.chat = try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 5)
        let found = Array(transaction.objects(DerivedChat.self).where { $0.membersCount == 2 })
        #expect(found.map(\.id) == [5] && found[0].points == 7)
        try transaction.add(DerivedMember(3, points: 4, chat: found[0]))
        #expect(try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 5)?.membersCount == 3)
        let other = try #require(try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 1))
        member.chat = other
        #expect(other.points == 3 && found[0].points == 8)
      }
    }
  }

  @Test func aWriteThatIsUndoneLeavesTheStoreRight() throws {
    try DerivedRepository.forBoth { repository in
      try repository.saveNow([DerivedMember(1, points: 3, chat: DerivedChat(1))])
      struct Stop: Error {}
      var leaked: DerivedChat?
      #expect(throws: Stop.self) {
        try repository.write { transaction in
          let chat = try #require(try transaction.object(ofType: DerivedChat.self, forPrimaryKey: 1))
          try transaction.add(DerivedMember(2, points: 3, chat: chat))
          #expect(chat.membersCount == 2)
          leaked = chat
          throw Stop()
        }
      }
      #expect(try repository.chat(1).membersCount == 1)
      #expect(leaked?.id == 1)
    }
  }
}
