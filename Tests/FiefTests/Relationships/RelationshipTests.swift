import Fief
import Testing

/// Every kind of relationship: what is saved is there after reopening.
@Suite struct RelationshipTests {
  /// A store on disk is opened again; one in memory lives as long as it is open.
  private static func reopen(_ repository: FaultRepository, _ place: FaultPlace) {
    if place == .disk { repository.closeChecked() }
  }

  @Test(arguments: FaultPlace.allCases) func orderedMembersStayInTheirOrder(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.write { tx in
        let chat = FaultChat(value: ["id": 1])
        for id in 0..<5 { chat.members.append(FaultUser(value: ["id": id])) }
        try tx.add(chat)
      }
      Self.reopen(repository, place)
      func members() -> [Int] {
        repository.object(ofType: FaultChat.self, forPrimaryKey: 1)?.members.map(\.id) ?? []
      }
      #expect(members() == [0, 1, 2, 3, 4])
      try repository.write { tx in
        let chat = try #require(try tx.object(ofType: FaultChat.self, forPrimaryKey: 1))
        chat.members.insert(FaultUser(value: ["id": 9]), at: 2)
        chat.members.move(from: 0, to: 4)
      }
      Self.reopen(repository, place)
      #expect(members() == [1, 9, 2, 3, 0, 4])
      try repository.write { tx in
        let chat = try #require(try tx.object(ofType: FaultChat.self, forPrimaryKey: 1))
        chat.members.remove(at: 1)
        chat.members.swapAt(0, 1)
      }
      Self.reopen(repository, place)
      #expect(members() == [2, 1, 3, 0, 4])
    }
  }

  @Test(arguments: FaultPlace.allCases) func manyToManyIsSeenFromBothSides(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.write { tx in
        let users = (0..<6).map { FaultUser(value: ["id": $0]) }
        for id in 0..<6 {
          let chat = FaultChat(value: ["id": id])
          for user in users where (user.id + id) % 2 == 0 {
            chat.members.append(user)
            chat.watchers.insert(user)
            chat.roles["\(user.id)"] = user
          }
          try tx.add(chat)
        }
      }
      Self.reopen(repository, place)
      let users = try #require(repository.queryAll(returningClass: FaultUser.self))
      #expect(users.count == 6)
      for user in users {
        let expected = (0..<6).filter { ($0 + user.id) % 2 == 0 }
        #expect(user.chats.map(\.id) == expected)
        #expect(user.watched.map(\.id) == expected)
        #expect(user.roles.map(\.id) == expected)
      }
    }
  }

  @Test(arguments: FaultPlace.allCases) func aTreeOfPersons(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.write { tx in
        let root = FaultPerson(value: ["name": "root"])
        try tx.add(root)
        root.parent = root
        for name in ["a", "b"] {
          let child = FaultPerson(value: ["name": name])
          root.children.append(child)
          for place in 0..<2 { child.children.append(FaultPerson(value: ["name": "\(name)\(place)"])) }
        }
        #expect(root.children.map(\.name).sorted() == ["a", "b", "root"])
        root.parent = nil
      }
      Self.reopen(repository, place)
      let persons = repository.store().objects(FaultPerson.self)
      let root = try #require(persons.where { $0.parent == nil }.first)
      #expect(root.name == "root" && root.children.map(\.name).sorted() == ["a", "b"])
      #expect(persons.where { $0.children.name == "a1" }.map(\.name) == ["a"])
      #expect(
        persons.where { $0.parent.parent.name == "root" }.map(\.name).sorted() == ["a0", "a1", "b0", "b1"]
      )
      try repository.write { tx in
        let a = try #require(tx.objects(FaultPerson.self).where { $0.name == "a" }.first)
        let b = try #require(tx.objects(FaultPerson.self).where { $0.name == "b" }.first)
        for child in a.children { b.children.append(child) }
        #expect(a.children.isEmpty && b.children.count == 4)
        try tx.delete(b)
        #expect(tx.objects(FaultPerson.self).where { $0.parent == nil }.count == 5)
      }
    }
  }

  @Test(arguments: FaultPlace.allCases) func withoutAnInverseTwoOwnersKeepTheirTarget(place: FaultPlace)
    throws
  {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.write { tx in
        let city = FaultCity(value: ["name": "Bern"])
        for id in 0..<2 {
          let user = FaultUser(value: ["id": id])
          user.home = FaultHome()
          user.home?.city = city
          user.best = try tx.object(ofType: FaultUser.self, forPrimaryKey: 0)
          try tx.add(user)
        }
        let third = FaultUser(value: ["id": 2])
        third.best = try tx.object(ofType: FaultUser.self, forPrimaryKey: 0)
        try tx.add(third)
      }
      Self.reopen(repository, place)
      let users = try #require(repository.queryAll(returningClass: FaultUser.self))
      #expect(users.map { $0.home?.city?.name } == ["Bern", "Bern", nil])
      #expect(users.map { $0.best?.id } == [nil, 0, 0])
    }
  }

  @Test(arguments: FaultPlace.allCases) func embeddedObjectsBelongToOneOwner(place: FaultPlace) throws {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let first = FaultUser(value: ["id": 1])
      first.home = FaultHome(value: ["street": "one"])
      let second = FaultUser(value: ["id": 2])
      second.home = first.home
      #expect { try repository.write { try $0.add([first, second]) } } throws: {
        ($0 as? FiefError)?.code == .embeddedObjectHasOwner
      }
      second.home = FaultHome(value: ["street": "two"])
      try repository.write { try $0.add([first, second]) }
      Self.reopen(repository, place)
      try repository.write { tx in
        try tx.delete(try #require(try tx.object(ofType: FaultUser.self, forPrimaryKey: 1)))
      }
      let users = try #require(repository.queryAll(returningClass: FaultUser.self))
      #expect(users.map { $0.home?.street } == ["two"])
    }
  }

  @Test(arguments: FaultPlace.allCases) func aCopyMayReplaceALiveObjectWithItsParts(place: FaultPlace) throws
  {
    try FaultRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.write { tx in
        let live = FaultUser(value: ["id": 1])
        live.home = FaultHome(value: ["street": "one"])
        try tx.add(live)
        let copy = FaultUser(value: ["id": 1])
        copy.home = FaultHome(value: ["street": "two"])
        try tx.add(copy, update: .all)
        #expect(live.home?.street == "two")
        live.name = "changed"
        copy.home?.street = "three"
        live.home?.street = "four"
      }
      let user = try #require(repository.object(ofType: FaultUser.self, forPrimaryKey: 1))
      #expect(user.name == "changed" && user.home?.street == "four")
    }
  }
}
