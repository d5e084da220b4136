import Fief
import TestEffort
import Testing

/// The targets of relationships are looked up for many objects at once.
@Suite struct PrefetchTests {
  private static func fill(_ repository: FaultRepository, chats: Int) throws {
    try repository.write { tx in
      let cities = (0..<5).map { FaultCity(value: ["name": "city \($0)"]) }
      try tx.add(cities)
      let users = (0..<50).map { FaultUser(value: ["id": $0, "name": "user \($0)"]) }
      for user in users {
        user.best = users[(user.id + 1) % users.count]
        user.home = FaultHome(value: ["street": "street \(user.id)"])
        user.home?.city = cities[user.id % cities.count]
      }
      try tx.add(users)
      for id in 0..<chats {
        let chat = FaultChat(value: ["id": id])
        chat.owner = id % 10 == 9 ? nil : users[id % users.count]
        for place in 0..<10 { chat.members.append(users[(id + place * 3) % users.count]) }
        chat.watchers.insert(users[(id + 7) % users.count])
        chat.roles["first"] = users[(id + 9) % users.count]
        chat.roles["none"] = .some(nil)
        try tx.add(chat)
      }
    }
  }

  private static func text(_ chat: FaultChat) -> String {
    let members = chat.members.map { "\($0.id) \($0.best?.name ?? "-")" }.joined(separator: ",")
    let watchers = chat.watchers.map(\.name).sorted().joined(separator: ",")
    let roles = chat.roles.map { "\($0.key) \($0.value?.name ?? "-")" }.joined(separator: ",")
    return "\(chat.id) \(chat.owner?.home?.city?.name ?? "-") [\(members)] [\(watchers)] [\(roles)]"
  }

  private static let ways = [
    "members", "members.best", "owner.home.city", "watchers", "roles",
  ]

  private static func prefetching(_ results: Results<FaultChat>) -> Results<FaultChat> {
    results.prefetching("members", "members.best", "owner.home.city", "watchers", "roles")
  }

  @Test(arguments: FaultPlace.allCases) func membersOfAHundredChatsAreTwoPasses(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 100)
      func touch(_ chats: Results<FaultChat>) -> FaultReads {
        repository.counting {
          var count = 0
          for chat in chats { for member in chat.members { count += member.name.isEmpty ? 0 : 1 } }
          #expect(count == 1000)
        }
      }
      let chats = repository.store().objects(FaultChat.self)
      #expect(touch(chats.prefetching(\.members)) == FaultReads(objects: 150, links: 50, lookups: 2))
      #expect(touch(chats.prefetching("members")).lookups == 2)
      #expect(touch(chats) == FaultReads(objects: 1100, links: 1000, lookups: 101))
      try repository.counting {
        for chat in try chats.prefetching(\.members).all() { _ = chat.members.count }
      }.expect(FaultReads(objects: 150, links: 50, lookups: 2))
      // Members are among those of other levels only by chance: each level is a pass.
      repository.counting {
        for chat in chats.prefetching(\.members, \.members.best) {
          for user in chat.members { _ = user.best?.id }
        }
      }.expect(lookups: 3)
      try repository.read { snapshot in
        let before = snapshot.objects(FaultChat.self).prefetching(\.members.best)
        for chat in before { for user in chat.members { #expect(user.best?.id == (user.id + 1) % 50) } }
      }
    }
  }

  @Test(arguments: FaultPlace.allCases) func whatIsFoundIsTheSame(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      // More than a batch.
      let count = TestEffort.count(300, more: 700)
      try Self.fill(repository, chats: count)
      let chats = repository.store().objects(FaultChat.self)
      let expected = chats.map(Self.text)
      #expect(Self.prefetching(chats).map(Self.text) == expected)
      #expect(try Self.prefetching(chats).all().map(Self.text) == expected)
      try repository.read { snapshot in
        #expect(Self.prefetching(snapshot.objects(FaultChat.self)).map(Self.text) == expected)
      }
      try repository.write { tx in
        #expect(Self.prefetching(tx.objects(FaultChat.self)).map(Self.text) == expected)
        let all = try Self.prefetching(tx.objects(FaultChat.self)).all()
        #expect(all.map(Self.text) == expected)
      }
      let page = try Self.prefetching(chats).page(20)
      repository.counting { #expect(page.objects.map(Self.text) == Array(expected[..<20])) }.expect(
        FaultReads()
      )
      let last = try #require(Self.prefetching(chats).last)
      repository.counting { #expect(Self.text(last) == expected[count - 1]) }.expect(FaultReads())
    }
  }

  @Test(arguments: FaultPlace.allCases) func inversesAreFoundInTwoPasses(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 60)
      let users = repository.store().objects(FaultUser.self)
      func text(_ user: FaultUser) -> String {
        "\(user.id) \(user.chats.map(\.id)) \(user.owned.count) \(user.owned.first?.owner?.id ?? -1)"
      }
      let expected = users.map(text)
      let prefetched = users.prefetching(\.chats, \.owned.owner)
      #expect(prefetched.map(text) == expected)
      repository.counting { for user in users.prefetching(\.chats) { _ = user.chats.map(\.id) } }.expect(
        FaultReads(objects: 110, links: 60, lookups: 3)
      )
      try repository.write { tx in
        let user = try #require(tx.objects(FaultUser.self).prefetching(\.owned).first)
        let count = user.owned.count
        let chat = try #require(try tx.object(ofType: FaultChat.self, forPrimaryKey: 9))
        chat.owner = user
        #expect(user.owned.count == count + 1)
      }
    }
  }

  @Test func unknownWaysAreErrorsBeforeAnythingIsRead() throws {
    try FaultRepository.with(.memory) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 5)
      let chats = repository.store().objects(FaultChat.self)
      for (way, code) in [
        ("memberz", FiefError.Code.unknownProperty), ("members.nobody", .unknownProperty),
        ("title", .invalidQuery), ("members.name", .invalidQuery), ("", .unknownProperty),
      ] {
        let reads = repository.counting {
          #expect { _ = try chats.prefetching(way).all() } throws: { ($0 as? FiefError)?.code == code }
          #expect(Array(chats.prefetching(way)).isEmpty)
        }
        #expect(reads == FaultReads())
      }
      #expect { _ = try chats.prefetching(\.title).fetchCount() } throws: {
        ($0 as? FiefError)?.code == .invalidQuery
      }
    }
  }

  @Test(arguments: FaultPlace.allCases) func largeCollectionsAreLeftToBeTouched(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let count = TestEffort.count(1_200, more: 3_000)
      try repository.write { tx in
        let users = (0..<count).map { FaultUser(value: ["id": $0]) }
        try tx.add(users)
        for id in 0..<3 {
          let chat = FaultChat(value: ["id": id])
          chat.members.append(objectsIn: id == 1 ? users[...] : users[..<10])
          try tx.add(chat)
        }
      }
      func check(_ chats: Results<FaultChat>) throws {
        let all = try chats.prefetching(\.members, \.members.best).all()
        #expect(all.map(\.members.count) == [10, count, 10])
        #expect(all[1].members.map(\.id) == Array(0..<count))
        #expect(all[2].members.last?.id == 9)
      }
      try check(repository.store().objects(FaultChat.self))
      try repository.read { try check($0.objects(FaultChat.self)) }
      try repository.write { try check($0.objects(FaultChat.self)) }
      try repository.counting {
        _ = try repository.store().objects(FaultChat.self).prefetching(\.members).all()
      }.expect(FaultReads(objects: 13, links: 10, lookups: 2))
    }
  }

  @Test func deletedTargetsAreNil() throws {
    try FaultRepository.with(.memory) { repository in
      defer { repository.closeChecked() }
      try Self.fill(repository, chats: 20)
      let chats = Array(repository.store().objects(FaultChat.self))
      try repository.write { tx in
        try tx.delete(try #require(try tx.object(ofType: FaultUser.self, forPrimaryKey: 3)))
      }
      #expect(chats[3].owner == nil)
      for chat in repository.store().objects(FaultChat.self).prefetching(\.members, \.owner) {
        #expect(!chat.members.contains { $0.id == 3 })
        #expect(chat.id != 3 || chat.owner == nil)
      }
    }
  }
}
