import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// No two objects have the same values in a unique index, however they are written.
@Suite(.timeLimit(.minutes(20))) struct UniqueIndexTests {
  private func expectDuplicate(
    _ property: String,
    key: String? = nil,
    other: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    let error = #expect(throws: FiefError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .duplicateValue, sourceLocation: sourceLocation)
    #expect(error?.store == "members" && error?.type == "IndexedMember", sourceLocation: sourceLocation)
    #expect(error?.property == property, sourceLocation: sourceLocation)
    if let key { #expect(error?.key == key, sourceLocation: sourceLocation) }
    if let other {
      #expect(
        error?.showingValues().details.contains("the other object: \(other)") == true,
        sourceLocation: sourceLocation
      )
    }
  }

  @Test func theSameValueIsAnErrorThatNamesBothObjects() throws {
    try IndexedRepository.forBoth { repository in
      try repository.saveNow([
        IndexedMember(1) { $0.email = "a@b.c" }, IndexedMember(2) { $0.email = "x@y.z" },
      ])
      expectDuplicate("email", key: "3", other: "1") {
        try repository.saveNow([IndexedMember(3) { $0.email = "a@b.c" }])
      }
      let error = #expect(throws: FiefError.self) {
        try repository.saveNow([IndexedMember(0) { $0.email = "a@b.c" }])
      }
      #expect(
        error?.key == "0" && error?.showingValues().details == ["the other object: 1", "the value: a@b.c"]
      )
      #expect(repository.ids == [1, 2])
      // Two of one save, and an object that gets the value of another one.
      expectDuplicate("email") {
        try repository.saveNow([IndexedMember(4) { $0.email = "n" }, IndexedMember(5) { $0.email = "n" }])
      }
      expectDuplicate("email", key: "2", other: "1") {
        try repository.saveNow([IndexedMember(2) { $0.email = "a@b.c" }], .modified)
      }
      #expect(repository.ids == [1, 2] && repository.member(2)?.email == "x@y.z")
      try repository.saveNow([IndexedMember(1) { $0.email = "a@b.c" }], .all)
    }
  }

  @Test func nilAndNaNAreNoValues() throws {
    try IndexedRepository.forBoth { repository in
      try repository.saveNow((0..<5).map { id in IndexedMember(id) { $0.number = 7 } })
      try repository.saveNow(
        (5..<8).map { id in
          IndexedMember(id) {
            $0.factor = .nan
            $0.team = "t"
            $0.number = id
          }
        }
      )
      #expect(repository.ids == Array(0..<8))
      expectDuplicate("team, number", key: "9", other: "6") {
        try repository.saveNow([
          IndexedMember(9) {
            $0.team = "t"; $0.number = 6
          }
        ])
      }
      try repository.saveNow([
        IndexedMember(10) { $0.factor = 0.0 }, IndexedMember(11) { $0.factor = .infinity },
      ])
      try repository.saveNow([IndexedMember(12) { $0.factor = -.infinity }])
      expectDuplicate("factor", key: "13", other: "10") {
        try repository.saveNow([IndexedMember(13) { $0.factor = -0.0 }])
      }
      expectDuplicate("factor", key: "13", other: "11") {
        try repository.saveNow([IndexedMember(13) { $0.factor = .infinity }])
      }
    }
  }

  @Test func caseDoesNotCountWhereTheIndexSaysSo() throws {
    try IndexedRepository.forBoth { repository in
      try repository.saveNow([IndexedMember(1) { $0.nick = "Straße" }, IndexedMember(2) { $0.email = "A" }])
      expectDuplicate("nick", key: "3", other: "1") {
        try repository.saveNow([IndexedMember(3) { $0.nick = "STRASSE" }])
      }
      try repository.saveNow([
        IndexedMember(3) {
          $0.email = "a"; $0.nick = "Strasze"
        }
      ])
      #expect(repository.ids == [1, 2, 3])
    }
  }

  @Test func objectsMayChangeValuesInOneWrite() throws {
    try IndexedRepository.forBoth { repository in
      try repository.saveNow(
        (0..<50).map { id in
          IndexedMember(id) {
            $0.email = "\(id)"; $0.team = "t"; $0.number = id
          }
        }
      )
      let store = repository.store()
      try store.write { scope in
        let members = try (0..<50).map {
          try #require(try scope.object(ofType: IndexedMember.self, forPrimaryKey: $0))
        }
        for (index, member) in members.enumerated() {
          member.email = "\((index + 1) % 50)"
          member.number = index + 1
          // A read in the meantime sees two objects with one value.
          if index == 20 { #expect(try scope.count(IndexedMember.self) == 50) }
        }
      }
      #expect(repository.member(49)?.email == "0" && repository.member(49)?.number == 50)
      // Another one takes the value of one that goes.
      try store.write { scope in
        try scope.add(IndexedMember(100) { $0.email = "1" })
        let old = try #require(try scope.object(ofType: IndexedMember.self, forPrimaryKey: 0))
        try scope.delete(old)
      }
      #expect(repository.member(100)?.email == "1" && repository.member(0) == nil)
      expectDuplicate("email", key: "5", other: "6") {
        try store.write { scope in
          try #require(try scope.object(ofType: IndexedMember.self, forPrimaryKey: 5)).email = "7"
          try #require(try scope.object(ofType: IndexedMember.self, forPrimaryKey: 40)).name = "changed"
        }
      }
      #expect(repository.member(40)?.name == "" && repository.member(5)?.email == "6")
    }
  }

  @Test func longValuesAreComparedWhole() throws {
    try IndexedRepository.forBoth { repository in
      let long = String(repeating: "x", count: 600)
      try repository.saveNow([
        IndexedMember(1) { $0.email = long + "1" }, IndexedMember(2) { $0.email = long + "2" },
      ])
      try repository.saveNow([
        IndexedMember(3) {
          $0.team = long; $0.number = 1
        }
      ])
      try repository.saveNow([
        IndexedMember(4) {
          $0.team = long; $0.number = 2
        }
      ])
      expectDuplicate("email", key: "5", other: "2") {
        try repository.saveNow([IndexedMember(5) { $0.email = long + "2" }])
      }
      expectDuplicate("team, number", key: "5", other: "3") {
        try repository.saveNow([
          IndexedMember(5) {
            $0.team = long; $0.number = 1
          }
        ])
      }
    }
  }

  @Test func onlyTheSaveThatIsWrongFails() async throws {
    for repository in [IndexedRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString))] {
      try repository.saveNow([IndexedMember(0) { $0.email = "0" }])
      let failures = try await withThrowingTaskGroup(of: Int.self) { group in
        for id in 1...200 {
          group.addTask {
            do {
              // Each tenth one has the value of the first object.
              let member = IndexedMember(id) { $0.email = id % 10 == 0 ? "0" : "\(id)" }
              _ = try await repository.save(entity: member, update: false)
              return 0
            } catch let error as FiefError where error.code == .duplicateValue {
              #expect(error.key == "\(id)" && id % 10 == 0)
              return 1
            }
          }
        }
        return try await group.reduce(0, +)
      }
      #expect(failures == 20)
      #expect(repository.ids == (0...200).filter { $0 == 0 || $0 % 10 > 0 })
      repository.closeChecked()
    }
  }

  /// Works that are known to be in one batch.
  @Test func theOthersOfTheBatchAreCommitted() async throws {
    let directory = try TemporaryDirectory()
    for repository in [
      IndexedRepository(realmMemoryType: .inMemory(identifier: UUID().uuidString)),
      IndexedRepository(realmMemoryType: .inStorage, directory: directory.path),
    ] {
      try repository.saveNow([IndexedMember(0) { $0.email = "0" }])
      let queue = try #require(repository.store().openedCore).queue()
      queue.pause()
      var tasks: [Task<Bool, any Error>] = []
      for id in 1...40 {
        // Each tenth one has the value of the first object, and each other fifth one that of the work before it.
        let email = id % 10 == 0 ? "0" : id % 5 == 0 ? "\(id - 1)" : "\(id)"
        tasks.append(
          Task {
            let members = [IndexedMember(1000 + id), IndexedMember(id) { $0.email = email }]
            return try await repository.save(entities: members, update: false)
          }
        )
        try await until { queue.statistics.pending + queue.statistics.waitingForRoom == id }
      }
      let before = queue.statistics.batches
      queue.resume()
      for (index, task) in tasks.enumerated() {
        let id = index + 1
        guard id % 5 == 0 else {
          #expect(try await task.value)
          continue
        }
        let error = try #require(await failure(of: task) as? FiefError)
        #expect(
          error.code == .duplicateValue && error.key == "\(id)" && error.property == "email",
          "\(error)"
        )
        #expect(error.showingValues().details.first == "the other object: \(id % 10 == 0 ? 0 : id - 1)")
      }
      #expect(queue.statistics.batches == before + 1)
      let saved = (1...40).filter { $0 % 5 > 0 }
      #expect(repository.ids == [0] + saved + saved.map { 1000 + $0 })
      repository.closeChecked()
    }
  }

  /// Each of two objects gets the other one's values, by each kind of write.
  @Test func twoObjectsChangeValues() throws {
    try IndexedRepository.forBoth { repository in
      func member(_ id: Int, _ value: Int) -> IndexedMember {
        IndexedMember(id) {
          $0.email = "e\(value)"
          $0.nick = "Nick\(value)"
          $0.team = "t"
          $0.number = value
          $0.factor = Double(value)
        }
      }
      func expect(_ first: Int, _ second: Int) {
        for (id, value) in [(1, first), (2, second)] {
          let found = repository.member(id)
          #expect(found?.email == "e\(value)" && found?.nick == "Nick\(value)" && found?.number == value)
          #expect(found?.factor == Double(value))
        }
      }
      try repository.saveNow([member(1, 1), member(2, 2)])
      for policy in [UpdatePolicy.all, .modified] {
        try repository.saveNow([member(1, 2), member(2, 1)], policy)
        expect(2, 1)
        try repository.saveNow([member(2, 2), member(1, 1)], policy)
        expect(1, 2)
      }
      try repository.store().write { scope in
        let first = try #require(try scope.object(ofType: IndexedMember.self, forPrimaryKey: 1))
        let second = try #require(try scope.object(ofType: IndexedMember.self, forPrimaryKey: 2))
        swap(&first.email, &second.email)
        swap(&first.nick, &second.nick)
        swap(&first.number, &second.number)
        swap(&first.factor, &second.factor)
      }
      expect(2, 1)
      expectDuplicate("email", key: "2", other: "1") { try repository.saveNow([member(2, 2)], .all) }
      expect(2, 1)
    }
  }

  @Test func documentsAndOtherWritersAreRefusedToo() throws {
    try IndexedRepository.forBoth { repository in
      try repository.saveNow([IndexedMember(1) { $0.email = "a" }])
      let document = #"[{"id": 2, "email": "b"}, {"id": 3, "email": "a"}]"#
      expectDuplicate("email", key: "3", other: "1") {
        try repository.saveAndWait(
          saveClass: IndexedMember.self,
          jsonData: Data(document.utf8),
          update: false
        )
      }
      #expect(repository.ids == [1])
    }
    let directory = try TemporaryDirectory()
    let repository = IndexedRepository(realmMemoryType: .inStorage, directory: directory.path)
    try repository.saveNow([IndexedMember(1) { $0.email = "a" }])
    repository.close()
    let store = try DynamicStore(directory: directory["members"], isReadOnly: false)
    defer { store.close() }
    #expect(throws: FiefError.self) {
      try store.write { try $0.put("IndexedMember", ["id": 2, "email": "a"]) }
    }
  }

  /// A random series of writes, some of which are refused, against a dictionary.
  @Test func randomWritesAgainstAModel() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = MigrationRandom(seed: seed)
    try IndexedRepository.forBoth { repository in
      var model: [Int: String] = [:]
      for step in 0..<TestEffort.count(60, more: 300) {
        let count = Int.random(in: 1...4, using: &random)
        var next = model
        var members: [IndexedMember] = []
        for _ in 0..<count {
          let id = Int.random(in: 0..<20, using: &random)
          guard !members.contains(where: { $0.id == id }) else { continue }
          let email: String? =
            Bool.random(using: &random) ? "e\(Int.random(in: 0..<12, using: &random))" : nil
          members.append(IndexedMember(id) { $0.email = email })
          next[id] = email
        }
        let isUnique = Set(next.values).count == next.count
        do {
          try repository.saveNow(members, .all)
          #expect(isUnique, "seed \(seed), step \(step)")
          model = next
        } catch let error as FiefError {
          #expect(error.code == .duplicateValue && !isUnique, "seed \(seed), step \(step): \(error)")
        }
        for id in 0..<20 {
          #expect(repository.member(id)?.email == model[id], "seed \(seed), step \(step), object \(id)")
        }
      }
    }
  }
}
