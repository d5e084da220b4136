import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore
@testable import FiefObserving

/// The reports of followers of objects with large collections depend on the contents, not on where they are stored.
@Suite(.timeLimit(.minutes(20))) struct LargeContentsTests {
  /// A map that leads to the second person, a list of links to that, and a query.
  private final class Followers {
    let all: [(name: String, follower: any CollectionFollower)]
    private let commits: FollowedCommits

    init(_ repository: FollowedRepository) throws {
      commits = FollowedCommits(try repository.store().core())
      let type = "FollowedPerson"
      func members(_ name: String) -> QueryMembers {
        QueryMembers(type: type, key: repository.key(1), path: [name])
      }
      var friends = try commits.query("TRUEPREDICATE", of: type)
      friends.members = members("friends")
      all = [
        ("named", ElementsFollower(members("named"))),
        ("friends", commits.rows(friends, of: type)),
        ("query", commits.rows(try commits.query("id = 2", of: type), of: type)),
      ]
      try commits.look { state in for (_, follower) in all { try follower.start(at: state) } }
    }

    /// The followers that report something, which is a modification.
    func changed(isUnknown: Bool = false) throws -> [String] {
      let pending = isUnknown ? PendingChanges(isUnknown: true) : commits.take()
      return try all.compactMap { name, follower in
        let isChanged = try commits.look { try follower.advance(pending, to: $0) }
        let changes = follower.takeChanges()
        #expect((changes != nil) == isChanged)
        guard let changes else { return nil }
        #expect(changes.deletions + changes.insertions == [] && changes.modifications == [0])
        return name
      }
    }
  }

  private static func with(_ body: (FollowedRepository, Followers) throws -> Void) throws {
    let repository = try FollowedRepository(inMemory: true)
    defer { repository.closeChecked() }
    try repository.store().write { scope in
      let one = try scope.create(FollowedPerson.self, value: ["id": 1])
      let two = try scope.create(FollowedPerson.self, value: ["id": 2])
      one.friends.append(two)
      one.named["two"] = .some(two)
      two.numbers.append(objectsIn: 0..<2_000)
      for number in 0..<1_000 {
        two.tags.insert("tag \(number)")
        two.ratings["key \(number)"] = number
      }
    }
    try body(repository, Followers(repository))
  }

  private static let names = ["named", "friends", "query"]

  @Test func eachChangeOfAnElementIsTold() throws {
    try Self.with { repository, followers in
      func expect(_ names: [String], _ change: @escaping (FollowedPerson) -> Void) throws {
        try repository.write { change(try $1(2)) }
        #expect(try followers.changed() == names)
        #expect(try followers.changed(isUnknown: true) == [])
      }
      // The number of elements is the same, so that the record stays as it was.
      try expect(Self.names) { $0.numbers[1_200] = -1 }
      try expect([]) { $0.numbers[1_200] = -1 }
      try expect(Self.names) { $0.numbers.swapAt(3, 1_700) }
      try expect(Self.names) { $0.ratings["key 4"] = -4 }
      try expect(Self.names) {
        $0.tags.remove("tag 7")
        $0.tags.insert("new")
      }
      try expect(Self.names) { $0.name = "two" }
      try expect(Self.names) { $0.numbers.removeAll() }
      try expect(Self.names) { $0.numbers.append(7) }
    }
  }

  /// The stand-in for a collection is kept while other properties change, and no longer.
  @Test func changesOfElementsAndOfOtherPropertiesAreToldTogether() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    try Self.with { repository, followers in
      var (name, number, rating) = ("", 1_200, 4)
      for round in 0..<60 {
        let before = (name, number, rating)
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
          let what = Int.random(in: 0..<3, using: &generator)
          let value = Int.random(in: 0..<2, using: &generator)
          if what == 0 { name = "\(value)" } else if what == 1 { number = value } else { rating = value }
          let new = (name, number, rating)
          try repository.write { _, person in
            let two = try person(2)
            if what == 0 { two.name = new.0 }
            if what == 1 { two.numbers[1_200] = new.1 }
            if what == 2 { two.ratings["key 4"] = new.2 }
          }
        }
        let isChanged = before != (name, number, rating)
        #expect(try followers.changed() == (isChanged ? Self.names : []), "seed \(seed), round \(round)")
        if round % 7 == 0 { #expect(try followers.changed(isUnknown: true) == [], "seed \(seed)") }
      }
    }
  }

  @Test(arguments: TestEffort.first(2, of: [400, 600, 2_000]))
  func theSameElementsElsewhereAreNoChange(count: Int) throws {
    try Self.with { repository, followers in
      try repository.write { _, person in
        let two = try person(2)
        while two.numbers.count > count { two.numbers.removeLast() }
        for number in 300..<1_000 {
          two.tags.remove("tag \(number)")
          two.ratings.removeObject(for: "key \(number)")
        }
      }
      #expect(try followers.changed() == Self.names)
      // The collections come into the record, and out of it where they are too large for it.
      try repository.write { _, person in
        let two = try person(2)
        two.numbers.removeAll()
        two.tags.removeAll()
        two.ratings.removeAll()
      }
      try repository.write { _, person in
        let two = try person(2)
        two.numbers.append(objectsIn: 0..<count)
        for number in (0..<300).reversed() {
          two.tags.insert("tag \(number)")
          two.ratings["key \(number)"] = number
        }
      }
      #expect(try followers.changed() == [])
      // Other nodes of the list.
      for number in 0..<300 { try repository.write { try $1(2).numbers.insert(-number, at: 100) } }
      for _ in 0..<300 { try repository.write { try $1(2).numbers.remove(at: 100) } }
      #expect(try followers.changed() == [])
      #expect(try followers.changed(isUnknown: true) == [])
    }
  }
}
