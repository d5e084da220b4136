import Fief
import FiefStress
import Foundation
import Testing

@testable import FiefCore

/// The properties that a change set reports as changed.
@Suite(.timeLimit(.minutes(20))) struct ChangeSetTests {
  private struct Refused: Error {}

  private static func store(_ inMemory: Bool, _ body: (FollowedRepository) throws -> Void) throws {
    let repository = try FollowedRepository(inMemory: inMemory)
    defer { repository.closeChecked() }
    try repository.store().write { scope in
      for id in 1...4 { try scope.create(FollowedPerson.self, value: ["id": id, "name": "\(id)"]) }
      try scope.create(FollowedNote.self, value: ["id": 1, "text": "one"])
    }
    try body(repository)
  }

  /// The changed properties of the person with an id.
  private func properties(_ id: Int, _ changes: ChangeSet) -> Set<String> {
    changes[FollowedPerson.self].properties(of: ObjectKey(rowID: Int64(id)))
  }

  @Test(arguments: [true, false]) func namesExactlyTheChangedProperties(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      func expect(_ names: Set<String>, _ body: @escaping (FollowedPerson, FollowedPerson) -> Void) throws {
        let changes = try repository.changes {
          try repository.write { _, person in body(try person(1), try person(2)) }
        }
        #expect(properties(1, changes) == names)
        #expect(changes.count == (names.isEmpty ? 0 : 1) && changes.isEmpty == names.isEmpty)
      }
      try expect(["name"]) { one, _ in one.name = "x" }
      try expect([]) { one, _ in one.name = "x" }
      try expect(["nick", "age", "score", "isActive"]) { one, _ in
        one.nick = ""
        one.age = -70_000
        one.score = -0.0
        one.isActive = true
      }
      try expect(["score"]) { one, _ in one.score = 0 }
      try expect(["nick"]) { one, _ in one.nick = nil }
      try expect(["best", "friends"]) { one, two in
        one.best = two
        one.friends.append(objectsIn: [two, one])
      }
      try expect([]) { one, two in one.best = two }
      try expect(["friends"]) { one, _ in one.friends.swapAt(0, 1) }
      try expect(["tags", "ratings", "numbers"]) { one, _ in
        one.tags.insert("a")
        one.ratings["a"] = 1
        one.numbers.append(4)
      }
      try expect([]) { one, _ in
        one.tags.insert("a")
        one.ratings["a"] = 1
        one.numbers[0] = 4
      }
      try expect(["home"]) { one, _ in one.home = FollowedPlace(value: ["city": "Ulm"]) }
      try expect(["home"]) { one, _ in one.home?.city = "Bonn" }
      try expect([]) { one, _ in one.home = FollowedPlace(value: ["city": "Bonn"]) }
      try expect(["places"]) { one, _ in one.places.append(FollowedPlace(value: ["city": "Ulm"])) }
      try expect([]) { one, _ in one.places[0].city = "Ulm" }
    }
  }

  @Test(arguments: [true, false]) func aSaveOfTheSameIsNoChange(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      let note = FollowedNote(value: ["id": 1, "text": "one"])
      let none = try repository.commits { try repository.save(note, .all) }
      #expect(none.isEmpty)
      note.text = "two"
      let changes = try repository.changes { try repository.save(note, .all) }
      #expect(changes[FollowedNote.self].properties(of: repository.key(1)) == ["text"])
      note.count = 5
      let patched = try repository.changes { try repository.save(note, .modified) }
      #expect(patched[FollowedNote.self].properties(of: repository.key(1)) == ["count"])
      #expect(patched[FollowedNote.self].properties(of: repository.key(2)) == [])
    }
  }

  @Test(arguments: [true, false]) func ofSeveralChangesTheSumIsTold(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      let changes = try repository.changes {
        try repository.write { scope, person in
          try person(1).name = "a"
          _ = try scope.count(FollowedPerson.self)
          try person(1).age = 7
          try person(3).name = "c"
          _ = try scope.count(FollowedPerson.self)
          try scope.delete(try person(3))
          try scope.delete(try person(4))
          try scope.create(FollowedPerson.self, value: ["id": 4])
          try scope.create(FollowedPerson.self, value: ["id": 5])
          _ = try scope.count(FollowedPerson.self)
          try person(5).name = "e"
          try scope.create(FollowedPerson.self, value: ["id": 6])
          try scope.delete(try person(6))
        }
      }
      let persons = changes[FollowedPerson.self]
      #expect(persons.inserted == [repository.key(5)] && persons.deleted == [repository.key(3)])
      #expect(persons.modified == [repository.key(1), repository.key(4)])
      #expect(properties(1, changes) == ["name", "age"])
      // Another object with the same key: all but the key and the inverse.
      #expect(persons.columns(of: repository.key(4)) == .all)
      #expect(properties(4, changes).count == 14 && !properties(4, changes).contains("fans"))
      #expect(properties(5, changes) == [] && properties(3, changes) == [])
      #expect(changes.isComplete)
    }
  }

  @Test(arguments: [true, false]) func whatIsUndoneIsNotTold(inMemory: Bool) async throws {
    let repository = try FollowedRepository(inMemory: inMemory)
    defer { repository.closeChecked() }
    try repository.save(FollowedNote(value: ["id": 1]), .error)
    let none = try repository.commits {
      #expect(throws: Refused.self) {
        try repository.store().write { scope in
          try scope.create(FollowedNote.self, value: ["id": 9])
          throw Refused()
        }
      }
    }
    #expect(none.isEmpty)
    let seen = Lock(ChangeSet())
    let token = try repository.store().onCommit { changes in seen.withLock { $0.append(changes) } }
    await withTaskGroup(of: Void.self) { group in
      for id in 1...40 {
        group.addTask {
          // Works of one batch are rolled back one by one.
          try? await repository.store().write { scope in
            try scope.create(FollowedNote.self, value: ["id": id, "count": 1], update: .all)
            if id % 2 == 0 { throw Refused() }
          }
        }
      }
    }
    token.invalidate()
    let notes = seen.withLock { $0 }[FollowedNote.self]
    #expect(notes.inserted == Set(stride(from: 3, through: 39, by: 2).map(repository.key)))
    #expect(notes.modifiedColumns.keys.elementsEqual([repository.key(1)]))
    #expect(notes.properties(of: repository.key(1)) == ["count"])
  }

  @Test(arguments: [true, false]) func rulesAndDerivedPropertiesAreTold(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      try repository.write { scope, person in
        try person(1).best = try person(2)
        try person(1).friends.append(objectsIn: [try person(2), try person(3), try person(2)])
        let club = try scope.create(FollowedClub.self, value: ["id": 1])
        club.members.append(objectsIn: [try person(2), try person(3)])
        club.captain = try person(2)
      }
      let club = repository.key(1)
      let older = try repository.changes { try repository.write { try $1(3).age = 60 } }
      #expect(properties(3, older) == ["age"])
      #expect(older[FollowedClub.self].properties(of: club) == ["oldest"] && older.count == 2)
      let deleted = try repository.changes { try repository.write { try $0.delete(try $1(2)) } }
      #expect(deleted[FollowedPerson.self].deleted == [repository.key(2)])
      #expect(properties(1, deleted) == ["best", "friends"])
      #expect(deleted[FollowedClub.self].properties(of: club) == ["members", "memberCount", "captain"])
      // A new link does not change its target.
      let linked = try repository.changes { try repository.write { try $1(4).best = try $1(1) } }
      #expect(properties(4, linked) == ["best"] && linked.count == 1)
      let gone = try repository.changes { try repository.store().write { try $0.deleteAll() } }
      #expect(gone[FollowedPerson.self].deleted == Set([1, 3, 4].map(repository.key)))
      #expect(gone[FollowedPerson.self].modified.isEmpty && gone[FollowedClub.self].deleted == [club])
    }
  }

  @Test func deletingAllOfATypeTellsEach() throws {
    try Self.store(true) { repository in
      let changes = try repository.changes {
        try repository.store().write { scope in
          try scope.create(FollowedNote.self, value: ["id": 2])
          try scope.delete(scope.objects(FollowedNote.self))
          try scope.create(FollowedNote.self, value: ["id": 3])
        }
        try repository.deleteAllAndWait(deleteObjClass: FollowedNote.self)
      }
      #expect(changes[FollowedNote.self].deleted == [repository.key(1)] && changes.count == 1)
    }
  }

  @Test func mergingAddsUp() {
    let (one, two) = (ObjectKey(rowID: 1), ObjectKey(rowID: 2))
    var changes = ChangeSet()
    changes.modify(one, "A", ColumnSet([1]))
    var later = ChangeSet()
    later.modify(one, "A", ColumnSet([70]))
    later.insert(two, "B")
    later.isComplete = false
    changes.append(later)
    #expect(!changes.isComplete && changes.types["A"]?.modifiedColumns == [one: ColumnSet([1, 70])])
    let copy = changes
    #expect(copy.types["B"]?.inserted == [two])
    changes.delete(two, "B")
    #expect(changes.types["B"] == nil && copy.types["B"]?.inserted == [two])
    changes.delete(one, "A")
    #expect(changes.types["A"]?.deleted == [one] && changes.types["A"]?.modified == [])
    changes.insert(one, "A")
    #expect(changes.types["A"]?.columns(of: one) == .all && copy != changes)
  }
}

extension FollowedRepository {
  func save(_ object: Object, _ policy: UpdatePolicy) throws {
    try saveAndWait(entities: [object], update: policy)
  }
}
