import Fief
import Foundation
import Testing

@testable import FiefCore

/// Change sets of objects with large collections, which change without the records of their owners.
@Suite(.timeLimit(.minutes(20))) struct ChangeSetLargeTests {
  private static func store(_ inMemory: Bool, _ body: (FollowedRepository) throws -> Void) throws {
    let repository = try FollowedRepository(inMemory: inMemory)
    defer { repository.closeChecked() }
    try repository.store().write { scope in
      for id in 2...450 { try scope.create(FollowedPerson.self, value: ["id": id]) }
      let one = try scope.create(FollowedPerson.self, value: ["id": 1])
      one.numbers.append(objectsIn: 0..<2_000)
      for _ in 0..<4 { one.friends.append(objectsIn: scope.objects(FollowedPerson.self)) }
      for number in 0..<1_000 {
        one.tags.insert("tag \(number)")
        one.ratings["key \(number)"] = number
      }
    }
    try body(repository)
  }

  @Test(arguments: [true, false]) func theOwnersPropertyHasChanged(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      var before = try repository.contents()
      func expect(_ names: Set<String>, _ body: @escaping (WriteTransaction, FollowedPerson) throws -> Void)
        throws
      {
        let changes = try repository.changes { try repository.write { try body($0, try $1(1)) } }
        #expect(changes[FollowedPerson.self].properties(of: repository.key(1)) == names)
        #expect(changes.count == (names.isEmpty ? 0 : 1))
        let after = try repository.contents()
        let truth = before.changes("FollowedPerson", to: after)
        before = after
        #expect(truth.modified == changes[FollowedPerson.self].modifiedColumns)
      }
      try expect(["numbers"]) { $1.numbers.append(7) }
      try expect(["numbers"]) { $1.numbers[1_200] = -1 }
      try expect([]) { $1.numbers[1_200] = -1 }
      try expect(["numbers"]) { $1.numbers.swapAt(3, 1_700) }
      try expect(["numbers"]) { $1.numbers.move(from: 5, to: 900) }
      try expect([]) { $1.numbers.swapAt(3, 3) }
      try expect(["friends"]) { $1.friends.remove(at: 700) }
      try expect(["friends"]) { $1.friends.swapAt(1, 2) }
      try expect(["tags"]) { $1.tags.insert("new") }
      try expect([]) { $1.tags.insert("new") }
      try expect(["tags"]) { $1.tags.remove("tag 17") }
      try expect(["ratings"]) { $1.ratings["key 4"] = -4 }
      try expect([]) { $1.ratings["key 4"] = -4 }
      try expect(["ratings", "name"]) {
        $1.ratings["key 5"] = nil
        $1.name = "one"
      }
      // Written with all elements, none of which differs.
      try expect([]) { $1.numbers = List($1.numbers.map { $0 }) }
      try expect([]) { $1.tags = MutableSet($1.tags.map { $0 }) }
      try expect(["numbers"]) { $1.numbers = List($1.numbers.map { $0 + 1 }) }
      // Into the record, and out of it.
      try expect(["numbers", "tags"]) {
        $1.numbers.removeAll { $0 % 300 != 0 }
        $1.tags = MutableSet($1.tags.prefix(9).map { $0 })
      }
      try expect([]) { $1.numbers = List($1.numbers.map { $0 }) }
      try expect(["numbers", "tags"]) {
        $1.numbers.append(objectsIn: 0..<3_000)
        for number in 0..<2_000 { $1.tags.insert("\(number)") }
      }
    }
  }

  @Test(arguments: [true, false]) func linksThatAreClearedAreAChange(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      let gone = try repository.changes { try repository.write { try $0.delete(try $1(300)) } }
      let persons = gone[FollowedPerson.self]
      #expect(persons.deleted == [repository.key(300)] && persons.modified == [repository.key(1)])
      #expect(persons.properties(of: repository.key(1)) == ["friends"])
      // Few elements are left, which are in the record.
      let most = try repository.changes {
        try repository.write { scope, _ in
          try scope.delete(scope.objects(FollowedPerson.self).where { $0.id > 5 })
        }
      }
      #expect(most[FollowedPerson.self].properties(of: repository.key(1)) == ["friends"])
      let all = try repository.changes { try repository.write { try $0.delete(try $1(1)) } }
      #expect(all[FollowedPerson.self].deleted == [repository.key(1)] && all.count == 1)
    }
  }

  @Test func aNewObjectWithALargeCollectionIsInserted() throws {
    try Self.store(true) { repository in
      let changes = try repository.changes {
        try repository.write { scope, person in
          let new = try scope.create(FollowedPerson.self, value: ["id": 9_000])
          new.numbers.append(objectsIn: 0..<4_000)
          _ = try scope.count(FollowedPerson.self)
          new.numbers[3_999] = 1
          try scope.create(FollowedPerson.self, value: ["id": 9_001, "numbers": Array(0..<4_000)])
        }
      }
      let persons = changes[FollowedPerson.self]
      #expect(persons.inserted == [repository.key(9_000), repository.key(9_001)] && changes.count == 2)
    }
  }
}
