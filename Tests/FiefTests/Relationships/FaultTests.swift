import Fief
import TestEffort
import Testing

/// Faults, the counters that show them, and one instance for each key in a scope.
@Suite struct FaultTests {
  private static func fill(_ repository: FaultRepository, chats: Int = 10) throws {
    try repository.write { tx in
      let users = (0..<20).map { FaultUser(value: ["id": $0, "name": "user \($0)", "age": $0]) }
      for user in users { user.best = users[(user.id + 1) % users.count] }
      try tx.add(users)
      for id in 0..<chats {
        let chat = FaultChat(value: ["id": id, "title": "chat \(id)"])
        chat.owner = users[id % users.count]
        for place in 0..<3 { chat.members.append(users[(id + place) % users.count]) }
        chat.watchers.insert(users[(id + 7) % users.count])
        chat.roles["first"] = users[(id + 9) % users.count]
        try tx.add(chat)
      }
    }
  }

  @Test(arguments: FaultPlace.allCases) func linkCostsNothingUntilTouched(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository)
      var chat: FaultChat?
      repository.counting { chat = repository.object(ofType: FaultChat.self, forPrimaryKey: 3) }.expect(
        FaultReads(objects: 1, lookups: 1)
      )
      let found = try #require(chat)
      repository.counting { #expect(found.title == "chat 3") }.expect(FaultReads())
      repository.counting { #expect(found.owner?.id == 3) }.expect(
        FaultReads(objects: 1, links: 1, lookups: 1)
      )
      repository.counting { #expect(found.owner?.name == "user 3") }.expect(FaultReads())
    }
  }

  @Test(arguments: FaultPlace.allCases) func aScanIsOnePass(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 200)
      let chats = repository.store().objects(FaultChat.self)
      repository.counting { for _ in chats {} }.expect(FaultReads(objects: 200, lookups: 1))
      try repository.counting { _ = try chats.all() }.expect(FaultReads(objects: 200, lookups: 1))
      repository.counting { #expect(chats.count == 200) }.expect(FaultReads(lookups: 1))
      // The first batch is one object, and nothing else is made before it is asked for.
      repository.counting { _ = chats.first }.expect(FaultReads(objects: 1, lookups: 1))
      try repository.counting {
        try repository.read { snapshot in for _ in snapshot.objects(FaultChat.self) {} }
      }.expect(FaultReads(objects: 200, lookups: 1))
    }
  }

  @Test(arguments: FaultPlace.allCases) func oneInstanceForEachKey(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository)
      func check(_ scope: AccessScope) throws {
        let user = try #require(try scope.object(ofType: FaultUser.self, forPrimaryKey: 3))
        #expect(try scope.object(ofType: FaultUser.self, forPrimaryKey: 3) === user)
        let chat = try #require(try scope.object(ofType: FaultChat.self, forPrimaryKey: 3))
        #expect(chat.owner === user)
        let other = try #require(try scope.object(ofType: FaultChat.self, forPrimaryKey: 2))
        #expect(other.members[1] === user)
        #expect(scope.objects(FaultUser.self).where { $0.age == 3 }.first === user)
        #expect(scope.objects(FaultUser.self).sorted(byKeyPath: \.name).contains { $0 === user })
        #expect(try scope.objects(FaultUser.self).all().contains { $0 === user })
        #expect(user.chats.contains { $0 === other })
        #expect(user.owned.first === chat)
        let watcher = try #require(chat.watchers.first { _ in true })
        #expect(try scope.object(ofType: FaultUser.self, forPrimaryKey: 10) === watcher)
        let first = try #require(chat.roles["first"] ?? nil)
        #expect(try scope.object(ofType: FaultUser.self, forPrimaryKey: 12) === first)
        #expect(try scope.object(ofType: FaultUser.self, forPrimaryKey: 2)?.best === user)
      }
      try repository.read { try check($0) }
      try repository.write { try check($0) }
    }
  }

  @Test func objectsThatAreLetGoOfAreNotKept() throws {
    try FaultRepository.with(.memory) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 500)
      try repository.read { snapshot in
        weak var gone: FaultChat?
        var kept: FaultChat?
        for chat in snapshot.objects(FaultChat.self) {
          if chat.id == 100 { gone = chat }
          if chat.id == 200 { kept = chat }
        }
        #expect(gone == nil)
        let again = try snapshot.object(ofType: FaultChat.self, forPrimaryKey: 200)
        #expect(again === kept)
      }
    }
  }

  @Test func anObjectKeepsItsValuesBehindTheScope() throws {
    try FaultRepository.with(.memory) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository)
      let chats = try repository.read { try $0.objects(FaultChat.self).all() }
      #expect(chats.map(\.id) == Array(0..<10))
      #expect(chats[3].owner?.name == "user 3")
      #expect(chats[3].owner !== chats[2].members[1])
    }
  }
}

extension FaultReads {
  func expect(_ other: FaultReads, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self == other, sourceLocation: sourceLocation)
  }

  func expect(lookups: UInt64, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self.lookups == lookups, sourceLocation: sourceLocation)
  }
}

/// Objects that hold each other by links that were followed, behind the scope in which a key has one instance.
@Suite struct FaultCycleTests {
  private static func fill(_ repository: FaultRepository, _ count: Int) throws {
    try repository.write { tx in
      let users = (0..<count).map { FaultUser(value: ["id": $0]) }
      for user in users { user.best = users[user.id ^ 1] }
      try tx.add(users)
      let chat = FaultChat(value: ["id": 1])
      chat.members.append(users[0])
      try tx.add(chat)
      for user in users { user.best = nil }
      for user in try tx.objects(FaultUser.self).all() {
        user.best = try tx.object(ofType: FaultUser.self, forPrimaryKey: user.id ^ 1)
      }
    }
  }

  @Test func areLetGoOfWhereNobodyHoldsThem() throws {
    try FaultRepository.with(.memory) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, 4)
      weak var gone: FaultUser?
      weak var inverse: FaultUser?
      let kept = try repository.read { snapshot in
        let first = try #require(try snapshot.object(ofType: FaultUser.self, forPrimaryKey: 0))
        #expect(first.best?.best === first)
        gone = first
        let chat = try #require(
          snapshot.objects(FaultUser.self).prefetching(\.chats.members).first?.chats.first
        )
        inverse = chat.members.first
        #expect(inverse === first)
        let kept = try #require(try snapshot.object(ofType: FaultUser.self, forPrimaryKey: 2))
        #expect(kept.best?.best === kept)
        return kept
      }
      #expect(gone == nil && inverse == nil)
      repository.counting { #expect(kept.best?.id == 3 && kept.best?.best === kept) }.expect(FaultReads())
      kept.best = nil
    }
  }

  @Test func theyAreLetGoOfInALongScopeToo() throws {
    try FaultRepository.with(.memory) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, TestEffort.count(8_000, more: 20_000))
      try repository.read { snapshot in
        weak var early: FaultUser?
        var wrong = 0
        for user in snapshot.objects(FaultUser.self) {
          if user.id == 10 { early = user }
          if user.best?.best !== user { wrong += 1 }
        }
        #expect(early == nil && wrong == 0)
      }
    }
  }
}
