import Fief
import LMDB
import TestEffort
import Testing

@testable import FiefCore

/// A loop over a large collection has the elements of its start, whatever the write does to the collection meanwhile.
@Suite(.timeLimit(.minutes(20))) struct LargeWalkTests {
  /// Numbers of integers that are a large collection, the first one with the least size: eight bytes each, two for the count, and more
  /// than 4,000 bytes in all.
  private static let counts = TestEffort.first(2, of: [500, 600, 1_500])

  /// Numbers of links that are a large collection, of two to four bytes each. The last ones come back into the record at different places
  /// of a loop: of a list when its one node has at most 2,000 bytes, of a set when 64 are left.
  private static let memberCounts = TestEffort.first(1, of: [1_200, 1_100, 1_700])

  private enum Filling { case list, set, numbers, all }

  /// - Parameter filling: the collections that get elements.
  private func with(
    _ filling: Filling,
    _ count: Int,
    _ body: (WriteTransaction, WalkOwner) throws -> Void
  ) throws {
    try RuleRepository.forBoth([WalkOwner.self, WalkMember.self]) { repository in
      try repository.write { transaction in
        let members = (0..<count).map { WalkMember(value: ["id": $0]) }
        let owner = WalkOwner(value: ["id": 1])
        if filling == .list || filling == .all { owner.list.append(objectsIn: members) }
        if filling == .set || filling == .all { owner.set.insert(objectsIn: members) }
        if filling == .all { for member in members { owner.map["\(member.id)"] = member } }
        if filling == .numbers {
          owner.numbers.append(objectsIn: 0..<count)
          owner.numberSet.insert(objectsIn: 0..<count)
        }
        try transaction.add(owner)
      }
      let large =
        switch filling {
        case .list, .set: 1
        case .numbers: 2
        case .all: 3
        }
      #expect(try largeCollections(of: repository) == large)
      try repository.write { transaction in
        try body(transaction, try #require(try transaction.object(ofType: WalkOwner.self, forPrimaryKey: 1)))
      }
      #expect(try repository.check().problems == [])
    }
  }

  /// The number of collections that are not in the record of their owner.
  private func largeCollections(of repository: RuleRepository) throws -> Int {
    try repository.store().core().environment.read { transaction in
      guard let tree = try transaction.database(named: Catalogue.collectionTreeName) else { return 0 }
      let cursor = try transaction.cursor(tree)
      var found: Set<[UInt8]> = []
      while try cursor.next() {
        guard cursor.key.count > CollectionMarker.prefixCount else { continue }
        found.insert(Array(cursor.key.prefix(CollectionMarker.prefixCount)))
      }
      return found.count
    }
  }

  @Test(arguments: memberCounts) func allMembersOfAListAreDeleted(count: Int) throws {
    try with(.list, count) { transaction, owner in
      var seen: [Int] = []
      for member in owner.list {
        seen.append(member.id)
        try transaction.delete(member)
      }
      #expect(seen == Array(0..<count))
      #expect(owner.list.isEmpty && transaction.objects(WalkMember.self).isEmpty)
    }
  }

  @Test(arguments: memberCounts) func allMembersOfASetAreDeleted(count: Int) throws {
    try with(.set, count) { transaction, owner in
      for member in owner.set { try transaction.delete(member) }
      #expect(owner.set.isEmpty && transaction.objects(WalkMember.self).isEmpty)
    }
  }

  @Test(arguments: counts) func valuesAreTakenOutAndPutIn(count: Int) throws {
    try with(.numbers, count) { _, owner in
      var seen: [Int] = []
      for number in owner.numbers {
        seen.append(number)
        owner.numbers.removeLast()
        owner.numbers.insert(-1 - number, at: 0)
        if number.isMultiple(of: 7) { owner.numbers.move(from: 0, to: count - 1) }
      }
      #expect(seen == Array(0..<count) && owner.numbers.count == count)
      var elements: Set<Int> = []
      for number in owner.numberSet {
        elements.insert(number)
        owner.numberSet.remove(number)
        owner.numberSet.insert(number + count)
      }
      #expect(elements == Set(0..<count) && Set(owner.numberSet) == Set(count..<(2 * count)))
    }
  }

  @Test func eachLoopHasTheElementsOfItsOwnStart() throws {
    try with(.set, 1_500) { transaction, owner in
      var inner = 0
      for (place, member) in owner.set.enumerated() where place == 500 {
        for other in owner.set {
          inner += 1
          if other.id != member.id { try transaction.delete(other) }
        }
      }
      #expect(inner == 1_500 && owner.set.count == 1)
    }
  }

  @Test func anotherInstanceChangesTheCollection() throws {
    try with(.numbers, 2_000) { transaction, owner in
      var seen = 0
      for _ in owner.numberSet {
        if seen == 100 {
          let other = try #require(try transaction.object(ofType: WalkOwner.self, forPrimaryKey: 1))
          other.numberSet.removeAll()
          try transaction.delete(other)
        }
        seen += 1
      }
      #expect(seen == 2_000)
      #expect(transaction.objects(WalkOwner.self).isEmpty)
    }
  }

  @Test func whatALoopHasHadChanges() throws {
    try with(.numbers, 3_000) { _, owner in
      var seen: [Int] = []
      for number in owner.numbers {
        seen.append(number)
        if number == 2_000 {
          owner.numbers.replaceSubrange(10..<20, with: [-1, -2, -3])
          owner.numbers.remove(at: 0)
          owner.numbers.insert(-4, at: 5)
        }
      }
      #expect(seen == Array(0..<3_000) && owner.numbers.count == 2_993)
      var elements: [Int] = []
      for number in owner.numberSet {
        elements.append(number)
        if elements.count == 2_000 {
          for former in elements[..<1_000] { owner.numberSet.remove(former) }
          owner.numberSet.insert(-1)
        }
      }
      #expect(Set(elements) == Set(0..<3_000) && elements.count == 3_000 && owner.numberSet.count == 2_001)
    }
  }

  /// Nodes of the list become one while it is gone through.
  @Test(arguments: TestEffort.first(2, of: [520, 1_000, 2_000]))
  func mostElementsAreTakenOut(count: Int) throws {
    try with(.numbers, count) { _, owner in
      var seen: [Int] = []
      for number in owner.numbers {
        seen.append(number)
        if number.isMultiple(of: 10) { continue }
        if let index = owner.numbers.index(of: number) { owner.numbers.remove(at: index) }
      }
      #expect(seen == Array(0..<count))
      #expect(Array(owner.numbers) == Array(stride(from: 0, to: count, by: 10)))
    }
  }

  @Test(arguments: 0..<TestEffort.count(1, more: 2)) func changesAtRandom(run: Int) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = MigrationRandom(seed: seed)
    try with(.numbers, 1_500) { _, owner in
      var model = Array(0..<1_500)
      var next = 1_500
      for step in 0..<6 {
        let start = model
        var seen: [Int] = []
        let isShrinking = Bool.random(using: &random)
        for number in owner.numbers {
          seen.append(number)
          guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
          let near = model.firstIndex(of: number) ?? model.count / 2
          let from = Bool.random(using: &random) ? near : Int.random(in: 0...model.count, using: &random)
          let lower = min(from, model.count)
          let upper = min(model.count, lower + Int.random(in: 0...(isShrinking ? 6 : 2), using: &random))
          let new = (0..<Int.random(in: 0...2, using: &random)).map { next + $0 }
          next += 2
          owner.numbers.replaceSubrange(lower..<upper, with: new)
          model.replaceSubrange(lower..<upper, with: new)
        }
        #expect(seen == start, "seed \(seed), step \(step)")
        #expect(Array(owner.numbers) == model, "seed \(seed), step \(step)")
        let elements = Set(owner.numberSet)
        var found: Set<Int> = []
        for number in owner.numberSet {
          #expect(found.insert(number).inserted, "seed \(seed), step \(step)")
          switch Int.random(in: 0..<4, using: &random) {
          case 0: owner.numberSet.remove(number)
          case 1: owner.numberSet.remove(Int.random(in: 0..<next, using: &random))
          case 2: owner.numberSet.insert(Int.random(in: -next..<next, using: &random))
          default: break
          }
        }
        #expect(found == elements, "seed \(seed), step \(step)")
      }
    }
  }

  /// A deletion that is denied is rolled back within the write.
  @Test func deniedDeletionsChangeNoLoop() throws {
    let count = TestEffort.count(1_200, more: 1_500)
    try RuleRepository.forBoth([WalkGuards.self, WalkGuard.self, WalkMember.self]) { repository in
      try repository.write { transaction in
        let kept = WalkMember(value: ["id": 1])
        let guards = (0..<count).map { WalkGuard(value: ["id": $0]) }
        for member in guards where member.id.isMultiple(of: 3) { member.other = kept }
        let owner = WalkGuards(value: ["id": 1])
        owner.list.append(objectsIn: guards)
        try transaction.add(owner)
      }
      #expect(try largeCollections(of: repository) == 1)
      try repository.write { transaction in
        let owner = try #require(try transaction.object(ofType: WalkGuards.self, forPrimaryKey: 1))
        var seen: [Int] = []
        for member in owner.list {
          seen.append(member.id)
          do { try transaction.delete(member) } catch let error as FiefError
            where error.code == .deletionDenied
          {}
          if seen.count > count { break }
        }
        #expect(seen == Array(0..<count))
        #expect(owner.list.map(\.id) == Array(stride(from: 0, to: count, by: 3)))
      }
      #expect(try repository.check().problems == [])
    }
  }

  /// Takes one element out of a set in each loop, as from a queue of jobs.
  @Test func aLoopIsLeftAfterAChange() throws {
    try with(.set, 1_300) { transaction, owner in
      var taken: [Int] = []
      while !owner.set.isEmpty {
        for member in owner.set {
          taken.append(member.id)
          owner.set.remove(member)
          break
        }
        // The short form has no loops from the middle of the set.
        guard !TestEffort.isLong, taken.count == 150 else { continue }
        for member in Array(owner.set).dropLast(150) {
          taken.append(member.id)
          owner.set.remove(member)
        }
      }
      #expect(taken.sorted() == Array(0..<1_300))
    }
  }

  @Test func allObjectsOfTheTypeAreDeletedMeanwhile() throws {
    try with(.numbers, 2_000) { transaction, owner in
      var seen = 0
      for _ in owner.numbers {
        if seen == 1_000 { try transaction.deleteAll(WalkOwner.self) }
        seen += 1
      }
      #expect(seen == 2_000)
    }
  }

  /// To save the new object brings the rest of the collection into the record.
  @Test(arguments: TestEffort.first(2, of: [0, 20, 3]))
  func anObjectIsPutIntoACollectionThatBecomesSmall(left: Int) throws {
    try with(.all, 1_500) { _, owner in
      owner.list.removeAll { $0.id >= left }
      owner.list.append(WalkMember(value: ["id": 5_000]))
      for member in Array(owner.set) where member.id >= left { owner.set.remove(member) }
      owner.set.insert(WalkMember(value: ["id": 5_001]))
      for key in owner.map.keys where (Int(key) ?? 0) >= left { owner.map.removeObject(for: key) }
      owner.map["new"] = WalkMember(value: ["id": 5_002])
      let rest = Array(0..<left)
      #expect(owner.list.map(\.id) == rest + [5_000])
      #expect(owner.set.map(\.id).sorted() == rest + [5_001])
      #expect(owner.map.compactMap { $0.value?.id }.sorted() == rest + [5_002])
    }
  }
}

private final class WalkOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var list: List<WalkMember>
  @Persisted var set: MutableSet<WalkMember>
  @Persisted var map: Map<String, WalkMember?>
  @Persisted var numbers: List<Int>
  @Persisted var numberSet: MutableSet<Int>
}

private final class WalkGuards: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var list: List<WalkGuard>
}

private final class WalkGuard: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var other: WalkMember?

  override class func relationships() -> [Relationship] { [Relationship("other", deleteRule: .deny)] }
}

private final class WalkMember: Object {
  @Persisted(primaryKey: true) var id = 0
}
