import Dispatch
import Fief
import Foundation
import Synchronization
import TestEffort
import Testing

/// Loops over results whose objects change meanwhile: each object of the beginning that still exists is met once, in the order of
/// the beginning.
@Suite(.timeLimit(.minutes(30))) struct LoopChangeTests {
  private static let sizes = TestEffort.first(3, of: [4, 64, 300, 50, 1_500])

  private func writes(in turn: Int) -> Bool {
    // A loop reads batches of at most 64 objects: the short form writes at their ends and in between.
    TestEffort.isLong ? turn < 70 || turn % 500 == 0 : turn < 10 || turn % 32 < 2
  }

  /// A value far away from the one that an object has, at the other end of the order.
  private func moved(_ number: Int, _ turn: Int) -> Int {
    turn % 2 == 0 ? 10_000_000 + number : -1 - number
  }

  @Test(arguments: TestEffort.pairs(MemberStore.allCases, sizes))
  func sortValuesMayChangeInAWrite(place: MemberStore, size: Int) throws {
    try LoopRepository.with(place, size) { repository in
      for shape in LoopShape.tried(with: size) {
        var (items, notes): ([Int], [Int]) = ([], [])
        try repository.write { tx in
          for item in shape.results(tx.objects(LoopItem.self)) {
            items.append(item.id)
            item.rank = moved(item.id, items.count)
            item.weight = item.rank
            if items.count % 7 == 0, let other = try tx.object(ofType: LoopItem.self, forPrimaryKey: 2) {
              other.rank = 20_000_000 + items.count
            }
            if items.count > size { break }
          }
          try shape.results(tx.objects(LoopNote.self)).forEachObject { note in
            guard notes.count <= size else { return }
            notes.append(note.weight)
            note.rank = moved(note.weight, notes.count)
          }
          for item in try tx.objects(LoopItem.self).all() {
            item.rank = item.id
            item.weight = item.id
          }
          for note in try tx.objects(LoopNote.self).all() { note.rank = note.weight }
        }
        #expect(items == shape.numbers(size), "items \(shape): \(items.count)")
        #expect(notes == shape.numbers(size), "notes \(shape): \(notes.count)")
      }
    }
  }

  @Test(arguments: TestEffort.pairs(MemberStore.allCases, sizes))
  func objectsThatStopToFulfilTheConditionAreMet(place: MemberStore, size: Int) throws {
    try LoopRepository.with(place, size) { repository in
      for text in ["group == 0", "group == 0 SORT(rank)", "group == 0 SORT(weight)"] {
        var inside: [Int] = []
        try repository.write { tx in
          for item in tx.objects(LoopItem.self).filter(text) {
            if inside.isEmpty { for other in try tx.objects(LoopItem.self).all() { other.group = 1 } }
            inside.append(item.id)
          }
          for item in try tx.objects(LoopItem.self).all() { item.group = 0 }
        }
        #expect(inside == LoopShape.all.numbers(size), "\(text)")
        var outside: [Int] = []
        for item in repository.store().objects(LoopItem.self).filter(text) {
          if outside.isEmpty {
            try repository.write { tx in for other in try tx.objects(LoopItem.self).all() { other.group = 1 }
            }
          }
          outside.append(item.id)
        }
        #expect(outside == LoopShape.all.numbers(size), "\(text)")
        try repository.write { tx in for item in try tx.objects(LoopItem.self).all() { item.group = 0 } }
      }
    }
  }

  @Test(arguments: TestEffort.pairs(MemberStore.allCases, sizes))
  func deletedObjectsAreLeftOut(place: MemberStore, size: Int) throws {
    try LoopRepository.with(place, size) { repository in
      for shape in LoopShape.tried(with: size) {
        // The last quarter: far ahead of the loop, and of the objects that are read together.
        let numbers = shape.numbers(size)
        let doomed = Set(numbers.suffix(size / 4))
        var inside: [Int] = []
        struct Undone: Error {}
        try? repository.write { tx in
          for item in shape.results(tx.objects(LoopItem.self)) {
            inside.append(item.id)
            if inside.count == 1 {
              for id in doomed {
                try tx.delete(try #require(try tx.object(ofType: LoopItem.self, forPrimaryKey: id)))
              }
            } else if size <= 1_000 || inside.count % 16 == 0 {
              try tx.delete(item)
            }
          }
          throw Undone()
        }
        #expect(inside == numbers.filter { !doomed.contains($0) }, "\(shape): \(inside.count)")
        var outside: [Int] = []
        for item in shape.results(repository.store().objects(LoopItem.self)) {
          outside.append(item.id)
          guard outside.count == 1 else { continue }
          try repository.write { tx in
            for id in doomed {
              try tx.delete(try #require(try tx.object(ofType: LoopItem.self, forPrimaryKey: id)))
            }
          }
        }
        #expect(outside == numbers.filter { !doomed.contains($0) }, "\(shape): \(outside.count)")
        try repository.write { tx in try tx.add(doomed.map { LoopItem($0) }) }
      }
    }
  }

  @Test(arguments: TestEffort.pairs(MemberStore.allCases, sizes))
  func sortValuesMayChangeOutside(place: MemberStore, size: Int) throws {
    try LoopRepository.with(place, size) { repository in
      let store = repository.store()
      for shape in LoopShape.tried(with: size) {
        var seen: [Int] = []
        for item in shape.results(store.objects(LoopItem.self)) {
          seen.append(item.id)
          let id = item.id
          // By another thread, which moves the object that was met, and one that was not.
          if writes(in: seen.count) {
            let failure = onAnotherThread {
              try store.write { tx in
                for (turn, number) in [(0, id), (1, size)] {
                  guard let item = try tx.object(ofType: LoopItem.self, forPrimaryKey: number) else {
                    continue
                  }
                  item.rank = self.moved(number, turn)
                  item.weight = item.rank
                }
              }
            }
            #expect(failure == nil)
          }
          if seen.count > size { break }
        }
        #expect(seen == shape.numbers(size), "\(shape): \(seen.count)")
        try store.write { tx in
          for item in try tx.objects(LoopItem.self).all() where item.rank != item.id {
            item.rank = item.id
            item.weight = item.id
          }
        }
      }
    }
  }

  private func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) -> (any Error)? {
    let done = DispatchSemaphore(value: 0)
    let failure = Lock<(any Error)?>(nil)
    Thread.detachNewThread {
      do { try body() } catch { failure.withLock { $0 = error } }
      done.signal()
    }
    done.wait()
    return failure.withLock { $0 }
  }

  /// Another thread adds, moves and deletes as fast as it can.
  @Test(arguments: MemberStore.allCases)
  func othersMayWriteAllTheTime(place: MemberStore) throws {
    let size = TestEffort.count(1_000, more: 3_000)
    try LoopRepository.with(place, size) { repository in
      let store = repository.store()
      let isStopped = Lock(false)
      let added = Lock(0)
      let done = DispatchSemaphore(value: 0)
      let failure = Lock<(any Error)?>(nil)
      Thread.detachNewThread {
        var number = 0
        do {
          while !isStopped.withLock({ $0 }) {
            number += 1
            let new = number
            try store.write { tx in
              try tx.add(LoopItem(1_000_000 + new))
              let key: Int = new * 14 % (2 * size) / 2 * 2
              let item = try tx.object(ofType: LoopItem.self, forPrimaryKey: key)
              item?.rank = new % 2 == 0 ? 10_000_000 + new : -new
              item?.weight = new % 2 == 0 ? -new : 10_000_000 + new
            }
            added.withLock { $0 = new }
          }
        } catch {
          failure.withLock { $0 = error }
        }
        done.signal()
      }
      for round in 0..<TestEffort.count(10, more: 30) {
        let shape = LoopShape.allCases[round % LoopShape.allCases.count]
        let before = added.withLock { $0 }
        var seen: [Int] = []
        var after = Int.max
        for item in shape.results(store.objects(LoopItem.self)) {
          // The write that is being made may be committed and not counted yet.
          if seen.isEmpty { after = added.withLock { $0 } + 1 }
          seen.append(item.id)
        }
        let old = seen.filter { $0 < 1_000_000 }
        #expect(old.count == size && Set(old).count == size, "\(shape): \(old.count)")
        let new = Set(seen.filter { $0 >= 1_000_000 })
        #expect(new.count == seen.count - old.count, "\(shape)")
        #expect(new.isSuperset(of: (1..<(before + 1)).map { 1_000_000 + $0 }), "\(shape)")
        #expect(new.count <= after, "\(shape): \(new.count) of \(after)")
      }
      isStopped.withLock { $0 = true }
      done.wait()
      #expect(failure.withLock { $0 } == nil)
    }
  }
}
