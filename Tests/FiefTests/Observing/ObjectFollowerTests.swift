import Fief
import Foundation
import Testing

@testable import FiefCore
@testable import FiefObserving

/// One object from state to state.
@Suite(.timeLimit(.minutes(20))) struct ObjectFollowerTests {
  private static func store(_ inMemory: Bool, _ body: (FollowedRepository) throws -> Void) throws {
    let repository = try FollowedRepository(inMemory: inMemory)
    defer { repository.closeChecked() }
    try repository.store().write { scope in
      for id in 1...6 { try scope.create(FollowedPerson.self, value: ["id": id, "name": "\(id)"]) }
    }
    try body(repository)
  }

  @Test(arguments: [true, false]) func reportsWhatDiffers(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      let one = try FollowedObject(repository, 1)
      try one.expect(["name"]) { try $1(1).name = "x" }
      try one.expect([]) { try $1(2).name = "x" }
      try one.expect(["nick", "best", "friends", "home"]) {
        try $1(1).nick = "n"
        try $1(1).best = try $1(2)
        try $1(1).friends.append(try $1(2))
        try $1(1).home = FollowedPlace(value: ["city": "Ulm"])
      }
      // There and back, in several commits.
      try one.commit { try $1(1).age = 5 }
      try one.commit { try $1(1).name = "y" }
      try one.commit { try $1(1).age = 0 }
      #expect(try one.look() == ["name"])
      try one.commit { try $1(1).age = 5 }
      #expect(try one.advance() == true)
      try one.commit { try $1(1).age = 0 }
      #expect(try one.advance() == false)
      #expect(try one.take() == nil)
      // The changes of other writers are not reported yet.
      try one.commit { try $1(1).score = 3 }
      #expect(try one.look(isUnknown: true) == ["score"])
      #expect(try one.look(isUnknown: true) == [])
      // The link that is cleared.
      try one.expect(["best", "friends"]) { try $0.delete(try $1(2)) }
    }
  }

  @Test(arguments: [true, false]) func aDeletionIsTheEnd(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      let one = try FollowedObject(repository, 1)
      try one.commit { try $1(1).age = 3 }
      try one.commit { try $0.delete(try $1(1)) }
      try one.commit { scope, _ in try scope.create(FollowedPerson.self, value: ["id": 1, "name": "new"]) }
      #expect(try one.look() == ["name"])
      try one.commit { try $0.delete(try $1(1)) }
      #expect(try one.advance() == true)
      #expect(try one.take() == .deleted)
      try one.commit { scope, _ in try scope.create(FollowedPerson.self, value: ["id": 1]) }
      #expect(try one.advance() == false)
      #expect(try one.take() == nil)
      // One that is not there when it begins.
      let none = try FollowedObject(repository, 99)
      let isGone = try none.follower.hasReport
      #expect(isGone)
      #expect(try none.take() == .deleted)
    }
  }

  @Test(arguments: [true, false]) func pathsLeadThroughLinks(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      try repository.write { scope, person in
        try person(1).best = try person(2)
        try person(2).best = try person(3)
        try person(1).friends.append(objectsIn: [try person(4), try person(5)])
        try person(1).home = FollowedPlace(value: ["city": "Ulm"])
        try person(1).named["a"] = try person(6)
      }
      let names = [
        "age", "best.name", "best.best.age", "friends.age", "home.city", "named[a].name", "fans.name",
      ]
      let one = try FollowedObject(repository, 1, names.map(QueryPath.watched))
      try one.expect([]) { try $1(1).name = "x" }
      try one.expect(["age"]) { try $1(1).age = 1 }
      try one.expect(["best"]) { try $1(2).name = "two" }
      try one.expect([]) { try $1(2).age = 9 }
      try one.expect(["best"]) { try $1(3).age = 9 }
      try one.expect(["friends"]) { try $1(5).age = 9 }
      try one.expect([]) { try $1(5).name = "five" }
      try one.expect(["named"]) { try $1(6).name = "six" }
      try one.expect([]) { try $1(1).home?.numbers.append(4) }
      try one.expect(["home"]) { try $1(1).home?.city = "Bonn" }
      // Another one of the same name.
      try one.expect([]) {
        try $1(3).name = "two"
        try $1(3).best = try $1(3)
        try $1(1).best = try $1(3)
      }
      try one.expect([]) { try $1(2).name = "other" }
      try one.expect(["fans"]) { try $1(4).best = try $1(1) }
      try one.expect(["fans"]) { try $1(4).name = "four" }
      try one.expect(["best"]) { try $0.delete(try $1(3)) }
      try one.expect(["friends", "fans"]) { try $0.delete(try $1(4)) }
      try one.expect(["friends"], isUnknown: true) { try $1(5).age = 10 }
    }
  }

  @Test func whatCannotBeWatchedIsAnError() throws {
    try Self.store(true) { repository in
      func code(_ path: String) -> FiefError.Code? {
        do { _ = try FollowedObject(repository, 1, [QueryPath.watched(path)]) } catch {
          return (error as? FiefError)?.code ?? .storage
        }
        return nil
      }
      #expect(code("best.best.best.best.name") == nil)
      #expect(code("best.best.best.best.best") == nil)
      #expect(code("best.best.best.best.best.name") == .invalidQuery)
      #expect(code("friends.fans.best.circle.fans.name") == .invalidQuery)
      #expect(code("nothing") == .unknownProperty)
      #expect(code("best.nothing") == .unknownProperty)
      #expect(code("name.nothing") == .invalidQuery)
      #expect(code("friends[a]") == .invalidQuery)
      #expect(code("nick") == nil)
    }
  }

  @Test(arguments: [true, false]) func theContentsOfLargeCollectionsCount(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      try repository.write { try $1(1).numbers.append(objectsIn: 0..<3_000) }
      let paths = [QueryPath("numbers"), QueryPath("tags")]
      for (number, watched) in [nil, paths].enumerated() {
        let one = try FollowedObject(repository, 1, watched)
        let value = -1 - number
        try one.expect(["numbers"]) { try $1(1).numbers[2_000] = value }
        try one.commit { try $1(1).numbers[2_000] = 7 }
        try one.commit { try $1(1).numbers[2_000] = value }
        #expect(try one.look() == [])
        try one.expect(["numbers"], isUnknown: true) { try $1(1).numbers.swapAt(0, 2_500) }
        try one.expect([], isUnknown: true) { try $1(2).numbers.append(1) }
        try one.expect(["tags"]) { for number in 0..<2_000 { try $1(1).tags.insert("\(number)") } }
        try one.expect(["tags"]) { try $1(1).tags.removeAll() }
        try one.expect([]) { try $1(1).tags = MutableSet() }
      }
    }
  }

  @Test(arguments: [true, false]) func whatTheObserverDoesItselfIsNotReported(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      let one = try FollowedObject(repository, 1)
      try one.commit { try $1(1).age = 4 }
      #expect(try one.advance())
      try one.expect(["age"], isSilent: true) { try $1(1).name = "own" }
      try one.expect(["age"]) { try $1(1).age = 0 }
      try one.expect(["name"]) { try $1(1).name = "1" }
      try one.expect([], isSilent: true) { try $1(1).numbers.append(objectsIn: 0..<4_000) }
      try one.expect(["numbers"]) { try $1(1).numbers[7] = 0 }
      let path = try FollowedObject(repository, 1, [QueryPath("best", "name")])
      try path.expect([], isSilent: true) { try $1(1).best = try $1(2) }
      try path.expect([], isSilent: true) { try $1(2).name = "own" }
      try path.expect(["best"]) { try $1(2).name = "other" }
      try one.expect([], isSilent: true) { try $0.delete(try $1(1)) }
      #expect(try one.take() == nil)
    }
  }

  @Test func dependsOnWhatItLooksAt() throws {
    try Self.store(true) { repository in
      try repository.write { try $1(1).best = try $1(2) }
      let table = try #require(try repository.store().core().tables["FollowedPerson"])
      func columns(_ names: String...) -> ColumnSet {
        ColumnSet(names.compactMap(table.entry.id(ofColumnNamed:)))
      }
      let all = try FollowedObject(repository, 1).follower.interest
      #expect(all.types.isEmpty && all.objects == ["FollowedPerson": [repository.key(1): nil]])
      let path = try FollowedObject(repository, 1, [QueryPath("best", "name"), QueryPath("age")])
      #expect(
        path.follower.interest.objects == [
          "FollowedPerson": [
            repository.key(1): columns("best", "age"), repository.key(2): columns("name"),
          ]
        ]
      )
      try path.commit { try $1(1).best = try $1(3) }
      _ = try path.look()
      #expect(path.follower.interest.objects["FollowedPerson"]?.keys.contains(repository.key(2)) == false)
      let fans = try FollowedObject(repository, 1, [QueryPath("fans", "age")])
      #expect(fans.follower.interest.types == ["FollowedPerson": columns("best", "age")])
    }
  }

  @Test(arguments: [true, false]) func changesAreHandedOutAsValues(inMemory: Bool) throws {
    try Self.store(inMemory) { repository in
      try repository.write { try $1(1).best = try $1(2) }
      let one = try FollowedObject(repository, 1)
      try one.commit {
        let one = try $1(1)
        one.name = "new"
        one.nick = "n"
        one.best = try $1(3)
        one.numbers.append(4)
        one.home = FollowedPlace(value: ["city": "Ulm"])
      }
      let first = try one.properties()
      #expect(Set(first.map(\.name)) == ["name", "nick", "best", "numbers", "home"])
      let byName = Dictionary(uniqueKeysWithValues: first.map { ($0.name, $0) })
      #expect(byName["name"]?.oldValue as? String == "1" && byName["name"]?.newValue as? String == "new")
      #expect(byName["nick"]?.oldValue == nil && byName["nick"]?.newValue as? String == "n")
      #expect((byName["best"]?.oldValue as? FollowedPerson)?.id == 2)
      #expect((byName["best"]?.newValue as? FollowedPerson)?.id == 3)
      #expect(byName["numbers"]?.oldValue == nil)
      #expect((byName["numbers"]?.newValue as? List<Int>).map { Array($0) } == [4])
      #expect(byName["home"]?.oldValue == nil && (byName["home"]?.newValue as? FollowedPlace)?.city == "Ulm")
      try one.commit {
        try $1(1).home?.city = "Bonn"
        try $0.delete(try $1(3))
      }
      let second = try one.properties()
      let next = Dictionary(uniqueKeysWithValues: second.map { ($0.name, $0) })
      #expect(Set(next.keys) == ["best", "home"])
      #expect(next["best"]?.oldValue == nil && next["best"]?.newValue == nil)
      #expect((next["home"]?.oldValue as? FollowedPlace)?.city == "Ulm")
      #expect((next["home"]?.newValue as? FollowedPlace)?.city == "Bonn")
    }
  }
}
