import Fief
import Foundation
import TestEffort
import Testing

/// What a loop keeps of the state in which it began, and what it does not hold up.
@Suite(.timeLimit(.minutes(30))) struct LoopStateTests {
  @Test(arguments: MemberStore.allCases)
  func theMapMayGrowInALoop(place: MemberStore) throws {
    try LoopRepository.with(place, 500, { $0.storeOptions.initialMapSize = 256 << 10 }) { repository in
      var seen: [Int] = []
      let each = TestEffort.count(600, more: 2_000)
      for item in repository.store().objects(LoopItem.self) {
        seen.append(item.id)
        if seen.count > 8 { continue }
        try repository.write { tx in
          try tx.add((0..<each).map { LoopItem(1_000_000 + seen.count * 10_000 + $0) })
        }
      }
      #expect(seen == LoopShape.all.numbers(500))
    }
  }

  @Test(arguments: MemberStore.allCases)
  func manyLoopsAtOnceHaveTheirBeginning(place: MemberStore) throws {
    try LoopRepository.with(place, 50) { repository in
      let store = repository.store()
      // More than there can be readers.
      var iterators = (0..<1_000).map { _ in store.objects(LoopItem.self).makeIterator() }
      for index in iterators.indices { #expect(iterators[index].next()?.id == 0) }
      try repository.write { tx in try tx.add(LoopItem(1_000_000)) }
      #expect(store.objects(LoopItem.self).count == 51)
      for index in iterators.indices {
        var rest: [Int] = []
        while let item = iterators[index].next() { rest.append(item.id) }
        #expect(rest == Array(LoopShape.all.numbers(50).dropFirst()), "\(index)")
      }
    }
  }

  @Test(arguments: MemberStore.allCases)
  func aLoopThatWasLeftHoldsNothingUp(place: MemberStore) throws {
    try LoopRepository.with(place, 200) { repository in
      let store = repository.store()
      var left = store.objects(LoopItem.self).makeIterator()
      #expect(left.next()?.id == 0)
      try repository.write { tx in try tx.delete(tx.objects(LoopItem.self).filter("id >= 100")) }
      var seen: [Int] = []
      for item in store.objects(LoopItem.self) {
        seen.append(item.id)
        if seen.count == 3 { break }
      }
      #expect(seen == [0, 2, 4])
      var rest: [Int] = []
      while let item = left.next() { rest.append(item.id) }
      #expect(rest == (1..<50).map { $0 * 2 })
    }
  }

  @Test(arguments: MemberStore.allCases)
  func aStoreIsClosedInALoop(place: MemberStore) throws {
    try LoopRepository.with(place, 200) { repository in
      var seen = 0
      for _ in repository.store().objects(LoopItem.self) {
        seen += 1
        if seen == 2 { repository.close() }
      }
      // What was read together is handed out; that the rest is not is an event.
      #expect(seen < 200)
    }
  }

  @Test(arguments: MemberStore.allCases)
  func aLoopThatBeganOutsideGoesOnInAWrite(place: MemberStore) throws {
    try LoopRepository.with(place, 100) { repository in
      var loop = repository.store().objects(LoopItem.self).sorted(byKeyPath: "rank").makeIterator()
      #expect(loop.next()?.id == 0)
      var seen: [Int] = []
      try repository.write { tx in
        for item in try tx.objects(LoopItem.self).all() { item.rank = -item.id }
        while let item = loop.next() {
          seen.append(item.id)
          try tx.add(LoopItem(1_000_000 + seen.count))
        }
      }
      #expect(seen == Array(LoopShape.all.numbers(100).dropFirst()))
    }
  }
}
