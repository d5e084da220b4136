import Fief
import FiefTesting
import TestEffort
import Testing

/// Many objects at the other end, and long chains of them.
@Suite(.timeLimit(.minutes(20))) struct ManyLinkingTests {
  /// As many in memory in the short form too: how deep a chain may be does not depend on the place of the store.
  private static func many(_ kind: StoreKind, _ count: Int, short: Int) -> Int {
    TestEffort.count(kind == .inMemory ? count / 6 : short / 2, more: count)
  }

  @Test(arguments: StoreKind.allCases) func anInverseOfManyIsChangedInOneWrite(_ kind: StoreKind) throws {
    let many = Self.many(kind, 10_000, short: 3_000)
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      try repository.write { tx in
        let items = [MixItem(1), MixItem(2)]
        try tx.add(items)
        for id in 0..<many { try tx.add(MixGuard(id, items[0])) }
        #expect(items[0].guards.count == many)
      }
      try repository.write { tx in
        let first = try #require(try tx.object(ofType: MixItem.self, forPrimaryKey: 1))
        let second = try #require(try tx.object(ofType: MixItem.self, forPrimaryKey: 2))
        let kept = Array(first.guards.where { $0.id >= 10 })
        first.guards.replaceAll(with: kept)
        #expect(first.guards.count == many - 10)
        second.guards.append(objectsIn: kept.prefix(5))
        #expect(second.guards.count == 5 && first.guards.count == many - 15)
        first.guards.removeAll()
        #expect(first.guards.isEmpty && second.guards.count == 5)
      }
      #expect(try repository.count(MixGuard.self) == many)
    }
  }

  /// Counts as it ends, and reads its link.
  private final class Link: Object {
    @Persisted var number = 0
    @Persisted var next: Link?
    var hadNext: (Bool) -> Void = { _ in }

    deinit { hadNext(next != nil) }

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
  }

  @Test func longChainsAreLetGoOf() {
    let count = TestEffort.count(60_000, more: 120_000)
    var ended = 0
    var withNext = 0
    var first: Link? = Link()
    for number in 1..<count {
      let link = Link()
      link.number = number
      link.next = first
      link.hadNext = { hadNext in
        ended += 1
        if hadNext { withNext += 1 }
      }
      first = link
    }
    var held: Link? = first
    for _ in 0..<1_000 { held = held?.next }
    first = nil
    // Objects that are held stay whole.
    #expect(ended == 1_000 && held?.next?.next != nil)
    held = nil
    #expect(ended == count - 1 && withNext == count - 1)
  }

  @Test(arguments: StoreKind.allCases) func longChainsThatWereFollowedAreLetGoOf(_ kind: StoreKind) throws {
    let count = Self.many(kind, 60_000, short: 3_000)
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      try repository.write { tx in
        var last: MixGuard?
        for id in 0..<count {
          let new = MixGuard(id)
          try tx.add(new)
          new.partner = last
          last = new
        }
      }
      func length(_ first: MixGuard?) -> Int {
        var length = 0
        var next = first
        while let object = next {
          length += 1
          next = object.partner
        }
        return length
      }
      #expect(length(repository.object(ofType: MixGuard.self, forPrimaryKey: count - 1)) == count)
      let last = repository.object(ofType: MixGuard.self, forPrimaryKey: count - 1)
      #expect(length(last) == count)
      try repository.read { snapshot in
        let last = try snapshot.object(ofType: MixGuard.self, forPrimaryKey: count - 1)
        #expect(length(last) == count)
      }
      // A copy of all of it, which is saved back.
      let copy = try #require(last).detached()
      #expect(length(copy) == count)
      try repository.write { tx in
        try tx.deleteAll()
        try tx.add(copy)
      }
      #expect(try repository.count(MixGuard.self) == count)
    }
  }

  @Test(arguments: StoreKind.allCases) func aGraphWithCyclesIsSavedWhole(_ kind: StoreKind) throws {
    try MixRepository.with(kind, MixTypes.boxes) { repository in
      let boxes = (0..<5).map { MixBox($0) }
      let (item, other) = (MixItem(1, weight: 2), MixItem(2))
      for (index, box) in boxes.enumerated() {
        box.inner = boxes[(index + 1) % 5]
        box.items.append(objectsIn: [item, item])
        box.tagged.insert(objectsIn: [item, other])
      }
      try repository.write { try $0.add(boxes[3]) }
      for id in 0..<5 {
        let box = try repository.box(id)
        #expect(box.inner?.inner?.inner?.inner?.inner?.id == id)
        #expect(box.items.count == 2 && box.weight == 4 && box.count == 2)
        #expect(box.tagged.map(\.id).sorted() == [1, 2])
      }
      #expect(repository.object(ofType: MixItem.self, forPrimaryKey: 1)?.boxes.count == 5)
      try repository.write { tx in
        let box = try #require(try tx.object(ofType: MixBox.self, forPrimaryKey: 2))
        #expect(box.inner?.inner?.inner?.inner?.inner === box)
        try tx.delete(box)
      }
      #expect(try repository.count(MixBox.self) == 0 && repository.count(MixItem.self) == 0)
    }
  }
}
