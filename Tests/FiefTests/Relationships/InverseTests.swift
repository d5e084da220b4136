import Fief
import Testing

/// Inverses as results, and changing a relationship from the side that is not stored.
@Suite struct InverseTests {
  private static func fill(_ repository: FaultRepository, chats: Int = 30) throws {
    try repository.write { tx in
      for id in 0..<5 { try tx.add(FaultUser(value: ["id": id, "name": "user \(id)"])) }
      for id in 0..<chats {
        let chat = FaultChat(value: ["id": id, "title": "chat \(id % 3)"])
        chat.owner = try tx.object(ofType: FaultUser.self, forPrimaryKey: id % 4)
        for member in 0..<4 where id % (member + 1) == 0 {
          chat.members.append(try #require(try tx.object(ofType: FaultUser.self, forPrimaryKey: member)))
        }
        try tx.add(chat)
      }
    }
  }

  private static func user(_ id: Int, in scope: AccessScope) throws -> FaultUser {
    try #require(try scope.object(ofType: FaultUser.self, forPrimaryKey: id))
  }

  @Test(arguments: FaultPlace.allCases) func isResults(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository)
      func check(_ user: FaultUser) throws {
        #expect(user.chats.count == 15)
        #expect(user.chats.map(\.id) == Array(stride(from: 0, to: 30, by: 2)))
        #expect(user.chats.first?.id == 0 && user.chats.last?.id == 28 && user.chats[3]?.id == 6)
        #expect(user.chats[15] == nil)
        #expect(user.chats.where { $0.title == "chat 1" && $0.id > 5 }.map(\.id) == [10, 16, 22, 28])
        #expect(user.chats.filter("id < 5").map(\.id) == [0, 2, 4])
        #expect(user.chats.sorted(byKeyPath: \.id, ascending: false).first?.id == 28)
        #expect(user.chats.sum(of: \.id) == 210 && user.chats.max(of: \.id) == 28)
        #expect(user.chats.average(of: \.id) == 14)
        #expect(user.chats.distinct(by: \.title).count == 3)
        let sections = try user.chats.results.sectioned(by: \.title).all()
        #expect(sections.map(\.count) == [5, 5, 5])
        let page = try user.chats.results.page(4)
        #expect(page.objects.map(\.id) == [0, 2, 4, 6] && page.hasMore)
        #expect(try user.chats.results.page(4, after: page.end).objects.map(\.id) == [8, 10, 12, 14])
        #expect(
          user.chats.results.where { $0.members.name == "user 3" }.map(\.id) == [0, 4, 8, 12, 16, 20, 24, 28]
        )
        #expect(user.owned.count == 8 && user.owned.contains { $0.id == 1 })
        let chat = try #require(user.owned.first)
        #expect(user.owned.contains(chat) && user.owned.index(of: chat) == 0)
        #expect(user.watched.isEmpty && user.watched.first == nil)
        #expect(user.roles.count == 0)
      }
      try check(try #require(repository.object(ofType: FaultUser.self, forPrimaryKey: 1)))
      try repository.read { try check(try Self.user(1, in: $0)) }
      try repository.write { try check(try Self.user(1, in: $0)) }
      // Counting and looking at one make nothing else.
      let user = try #require(repository.object(ofType: FaultUser.self, forPrimaryKey: 1))
      repository.counting { #expect(user.chats.count == 15) }.expect(FaultReads(lookups: 1))
      repository.counting { _ = user.chats.first }.expect(FaultReads(objects: 1, lookups: 1))
      #expect("\(try user.chats.results.explain())".contains("members"))
      #expect(FaultUser().chats.isEmpty)
      #expect(repository.events.failures == 0)
    }
  }

  @Test(arguments: FaultPlace.allCases) func assigningALinkShowsInTheInverse(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 4)
      try repository.write { tx in
        let (first, second) = (try Self.user(0, in: tx), try Self.user(4, in: tx))
        let chat = try #require(first.owned.first)
        chat.owner = second
        #expect(second.owned.map(\.id) == [0] && first.owned.isEmpty)
        #expect(second.owned.first === chat)
        chat.owner = nil
        #expect(second.owned.isEmpty)
        chat.owner = first
        #expect(first.owned.count == 1)
      }
    }
  }

  @Test(arguments: FaultPlace.allCases) func aLinkIsChangedFromTheOtherSide(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 4)
      try repository.write { tx in
        let (first, second) = (try Self.user(0, in: tx), try Self.user(4, in: tx))
        let chat = try #require(try tx.object(ofType: FaultChat.self, forPrimaryKey: 0))
        second.owned.append(chat)
        #expect(chat.owner === second && first.owned.isEmpty && second.owned.contains(chat))
        second.owned.append(chat)
        #expect(second.owned.count == 1)
        first.owned.remove(chat)
        #expect(chat.owner === second)
        second.owned.remove(chat)
        #expect(chat.owner == nil && second.owned.isEmpty)
        // A new object is added with it.
        let new = FaultChat(value: ["id": 50])
        second.owned.append(new)
        #expect(second.owned.map(\.id) == [50])
        #expect(try tx.object(ofType: FaultChat.self, forPrimaryKey: 50) === new)
        // An object that was read outside hands over its change, and nothing else.
        let copy = try #require(
          try repository.read { try $0.object(ofType: FaultChat.self, forPrimaryKey: 1) }
        )
        try #require(try tx.object(ofType: FaultChat.self, forPrimaryKey: 1)).title = "kept"
        second.owned.append(copy)
        #expect(second.owned.map(\.id) == [1, 50])
        #expect(try tx.object(ofType: FaultChat.self, forPrimaryKey: 1)?.title == "kept")
        second.owned.replaceAll(with: [chat, new])
        #expect(second.owned.map(\.id) == [0, 50])
      }
      let user = try #require(repository.object(ofType: FaultUser.self, forPrimaryKey: 4))
      #expect(user.owned.map(\.id) == [0, 50])
      try repository.write { tx in
        try Self.user(4, in: tx).owned.removeAll()
        #expect(try Self.user(4, in: tx).owned.isEmpty)
      }
      #expect(user.owned.isEmpty)
      #expect(repository.object(ofType: FaultChat.self, forPrimaryKey: 1)?.title == "kept")
    }
  }

  @Test(arguments: FaultPlace.allCases) func collectionsAreChangedFromTheOtherSide(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 3)
      try repository.write { tx in
        let user = try Self.user(4, in: tx)
        let chats = try tx.objects(FaultChat.self).all()
        user.chats.append(objectsIn: chats)
        #expect(chats.allSatisfy { $0.members.last === user } && user.chats.count == 3)
        let lengths = chats.map(\.members.count)
        user.chats.append(chats[1])
        #expect(chats.map(\.members.count) == lengths)
        user.chats.remove(chats[1])
        #expect(user.chats.map(\.id) == [0, 2] && !chats[1].members.contains { $0 === user })
        user.watched.append(chats[2])
        #expect(chats[2].watchers.contains(user) && user.watched.map(\.id) == [2])
        user.watched.removeAll()
        #expect(chats[2].watchers.isEmpty && user.watched.isEmpty)
        chats[0].roles["a"] = user
        #expect(user.roles.map(\.id) == [0])
        user.roles.remove(chats[0])
        #expect(user.roles.isEmpty && chats[0].roles.isEmpty)
      }
      #expect(repository.object(ofType: FaultChat.self, forPrimaryKey: 0)?.members.last?.id == 4)
      // A map has no place for one without a key.
      #expect {
        try repository.write { tx in
          let chat = try #require(try tx.object(ofType: FaultChat.self, forPrimaryKey: 1))
          chat.title = "lost"
          try Self.user(4, in: tx).roles.append(chat)
        }
      } throws: {
        ($0 as? FiefError)?.code == .invalidValue
      }
      #expect(repository.object(ofType: FaultChat.self, forPrimaryKey: 1)?.title == "chat 1")
    }
  }

  @Test(arguments: FaultPlace.allCases) func outsideOfAWriteItIsTheObjectThatChanges(place: FaultPlace) throws
  {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 4)
      let user = try #require(repository.object(ofType: FaultUser.self, forPrimaryKey: 4))
      let chat = try #require(repository.object(ofType: FaultChat.self, forPrimaryKey: 1))
      user.owned.append(chat)
      #expect(chat.owner === user && user.owned.isEmpty)
      try repository.write { try $0.add(chat, update: .modified) }
      #expect(user.owned.map(\.id) == [1])
      user.owned.removeAll()
      #expect(user.owned.count == 1 && repository.events.misuses.count == 1)
      // Neither is stored yet.
      let newUser = FaultUser(value: ["id": 70])
      let newChat = FaultChat(value: ["id": 70])
      newUser.owned.append(newChat)
      newUser.chats.append(newChat)
      #expect(newChat.owner === newUser && newChat.members.first === newUser)
      try repository.write { try $0.add(newChat) }
      #expect(newUser.owned.map(\.id) == [70] && newUser.chats.map(\.id) == [70])
    }
  }
}
