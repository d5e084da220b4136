import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefCore
@testable import FiefObserving

/// Followers of values and of maps arrive at the state of the collection, and report the differences.
@Suite(.timeLimit(.minutes(20)))
struct ElementsFollowerTests {
  private static let key = ObjectKey(rowID: 1)

  private static func members(_ path: String...) -> QueryMembers {
    QueryMembers(type: "MemberOwner", key: key, path: path)
  }

  /// The elements of a table view that is driven by the changes.
  private struct View {
    var elements: [String]

    mutating func apply(_ changes: CollectionChanges, _ new: [String], _ comment: Comment) {
      for index in changes.deletions.reversed() where index < elements.count { elements.remove(at: index) }
      for index in changes.insertions where index <= elements.count { elements.insert(new[index], at: index) }
      for index in changes.modifications where index < elements.count {
        #expect(elements[index] != new[index], comment)
        elements[index] = new[index]
      }
      #expect(elements == new, comment)
    }
  }

  private static func contents(_ owner: MemberOwner) -> [String: [String]] {
    func sorted<Value>(_ map: [(String, Value)], _ text: (Value) -> String) -> [String] {
      map.sorted { $0.0 < $1.0 }.map { "\($0.0): \(text($0.1))" }
    }
    func text(_ dog: MemberDog) -> String { "\(dog.id) \(dog.name)" }
    return [
      "numbers": owner.numbers.map(\.description),
      "words": owner.words.sorted(),
      "prices": sorted(owner.prices.map { ($0.key, $0.value) }) { $0.map { "\($0)" } ?? "nil" },
      "homes": owner.homes.map { "\($0.street) \($0.number)" },
      "places": sorted(owner.places.map { ($0.key, $0.value) }) { $0.map { $0.street } ?? "nil" },
      "guards": sorted(owner.guards.map { ($0.key, $0.value) }, text),
      "roles": sorted(owner.roles.map { ($0.key, $0.value) }) { $0.map(text) ?? "nil" },
    ]
  }

  @Test(arguments: [12, TestEffort.count(1_200, more: 3_000)], MemberStore.allCases)
  func everyCollectionIsFollowed(size: Int, place: MemberStore) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.fill(dogs: 10, elements: [1, 2, 3])
      try repository.write { tx in
        let owner = try repository.owner(in: tx)
        owner.numbers.append(contentsOf: (0..<size).map { $0 % 50 })
        for number in 0..<size { owner.words.insert("word \(number * 7 % size)") }
        for number in 0..<size { owner.prices["price \(number)"] = Decimal(number) }
      }
      let commits = FollowedCommits(try repository.store().core())
      let names = ["numbers", "words", "prices", "homes", "places", "guards", "roles"]
      let followers = names.map { ElementsFollower(Self.members($0)) }
      var contents = try Self.contents(repository.owner(in: nil))
      try commits.look { state in for follower in followers { try follower.start(at: state) } }
      var views = names.map { View(elements: contents[$0] ?? []) }
      for round in 0..<TestEffort.count(size > 12 ? 3 : 12, more: 20) {
        try Self.change(repository, &random)
        var pending = commits.take()
        if random.next(8) == 0 { pending = PendingChanges(isUnknown: true) }
        contents = try Self.contents(repository.owner(in: nil))
        for (index, follower) in followers.enumerated() {
          let comment: Comment = "seed \(seed), round \(round), \(names[index])"
          let isChanged = try commits.look { try follower.advance(pending, to: $0) }
          let changes = follower.takeChanges()
          #expect((changes != nil) == isChanged, comment)
          let new = contents[names[index]] ?? []
          // Sets and maps of words order as their bytes do.
          #expect(follower.rows.count == new.count, comment)
          views[index].apply(changes ?? CollectionChanges(), new, comment)
        }
      }
      try repository.write { try $0.delete(try repository.owner(in: $0)) }
      let pending = commits.take()
      for (index, follower) in followers.enumerated() {
        _ = try commits.look { try follower.advance(pending, to: $0) }
        let deletions = follower.takeChanges()?.deletions ?? []
        #expect(deletions.count == views[index].elements.count, "\(names[index])")
      }
    }
  }

  private static func change(_ repository: MemberRepository, _ random: inout StressRandom) throws {
    try repository.write { tx in
      let owner = try repository.owner(in: tx)
      for _ in 0..<(1 + random.next(4)) {
        let number = random.next(100)
        switch random.next(12) {
        case 0: owner.numbers.insert(1_000 + number, at: random.next(owner.numbers.count + 1))
        case 1: if !owner.numbers.isEmpty { owner.numbers.remove(at: random.next(owner.numbers.count)) }
        case 2: if !owner.numbers.isEmpty { owner.numbers[random.next(owner.numbers.count)] = number }
        case 3: owner.words.insert("new \(number)")
        case 4: if let word = Array(owner.words).first { owner.words.remove(word) }
        case 5: owner.prices["price \(number)"] = random.next(3) == 0 ? .some(nil) : Decimal(number)
        case 6: owner.prices.removeObject(for: "price \(number)")
        case 7: owner.homes.append(MemberHome(value: ["street": "Street \(number)", "number": number]))
        case 8: if !owner.homes.isEmpty { owner.homes[random.next(owner.homes.count)].number += 1 }
        case 9: owner.places["place \(number % 5)"] = MemberHome(value: ["street": "Street \(number)"])
        case 10:
          let dog = try tx.object(ofType: MemberDog.self, forPrimaryKey: number % 10)
          dog?.name = "Dog \(number)"
        default:
          if let dog = try tx.object(ofType: MemberDog.self, forPrimaryKey: number % 10) {
            owner.guards["guard \(number % 4)"] = dog
            owner.roles["role \(number % 4)"] = .some(dog)
          }
        }
      }
    }
  }
}
