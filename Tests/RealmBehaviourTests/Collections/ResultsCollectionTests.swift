import FiefRealm
import FiefTesting
import Foundation
import Testing

/// Results are a collection whose subscript is not optional.
@Suite(.timeLimit(.minutes(20)))
struct ResultsCollectionTests {
  private func withDogs(_ kind: StoreKind, _ body: (Store, Results<MadeDog>) throws -> Void) throws {
    try withMadeStore(kind) { store in
      try store.write {
        for id in 0..<150 { store.create(MadeDog.self, value: ["id": id, "name": "\(id)"]) }
      }
      try body(store, store.objects(MadeDog.self).sorted(byKeyPath: "id"))
    }
  }

  private func ids<Dogs: RandomAccessCollection<MadeDog>>(_ dogs: Dogs) -> [Int] { dogs.map(\.id) }

  @Test(arguments: StoreKind.allCases) func objectsArePlaces(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      let dog = dogs[3]
      #expect(dog.name == "3" && dogs[149].id == 149)
      #expect(dogs.startIndex == 0 && dogs.endIndex == 150 && dogs.indices == 0..<150)
      #expect(dogs.indices.map { dogs[$0].id } == Array(0..<150))
      #expect(
        dogs[2..<4].map(\.id) == [2, 3] && dogs[...1].map(\.id) == [0, 1]
          && dogs[148...].map(\.id) == [148, 149]
      )
      #expect(dogs[..<2].count == 2 && dogs[1...2].first?.id == 1 && dogs[...].count == 150)
      #expect(dogs.prefix(2).map(\.id) == [0, 1] && dogs.suffix(2).map(\.id) == [148, 149])
      #expect(
        dogs.dropFirst(148).count == 2 && dogs.dropLast(149).map(\.id) == [0] && dogs.dropFirst().count == 149
      )
      #expect(
        dogs.firstIndex { $0.id == 20 } == 20 && dogs.firstIndex(of: dog) == 3 && dogs.index(after: 3) == 4
      )
      #expect(dogs.lastIndex { $0.id < 20 } == 19 && dogs.last { $0.id < 7 }?.id == 6)
      #expect(dogs.randomElement() != nil && dogs.where { $0.id > 1000 }.randomElement() == nil)
      var generator = SystemRandomNumberGenerator()
      #expect(dogs.randomElement(using: &generator) != nil)
      #expect(dogs.reversed().first?.id == 149 && dogs.enumerated().allSatisfy { $0 == $1.id })
      #expect(dogs.lazy.filter { $0.id > 140 }.map(\.id).count == 9 && Array(dogs).count == 150)
      #expect(dogs.shuffled().count == 150 && dogs.sorted { $0.id > $1.id }.first?.id == 149)
      #expect(ids(dogs) == Array(0..<150) && ids(dogs[5..<7]) == [5, 6])
      #expect(dogs.where { $0.id > 1000 }.map(\.id).isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases) func placesBeyondTheEndsAreReported(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      for index in [150, -1, Int.max] {
        let events = withExpectedEvents {
          let nobody = dogs[index]
          #expect(nobody.realm == nil && nobody.id == 0)
          #expect(throws: FiefError.self) { try store.write { store.add(nobody, update: .all) } }
        }
        guard case .indexOutOfBounds(_, let type, let place, let count)? = events.first else {
          Issue.record("no event of the index")
          continue
        }
        #expect(events.count == 1 && type == "MadeDog" && place == index && count == 150)
      }
      let events = withExpectedEvents {
        #expect(
          dogs[148..<200].map(\.id) == [148, 149] && dogs[200...].isEmpty && dogs[(-2)..<1].map(\.id) == [0]
        )
        #expect(dogs[...Int.max].count == 150 && dogs[..<500].count == 150)
      }
      #expect(events.count == 5)
      // A write in which others may have removed objects fails.
      let inWrite = withExpectedEvents {
        #expect(throws: FiefError.self) { try store.write { dogs[150].name = "lost" } }
      }
      #expect(inWrite.count == 1)
      let wrong = dogs.filter("nmae == 1")
      let failures = withExpectedEvents { #expect(wrong[0].realm == nil && wrong.map(\.id).isEmpty) }
      #expect(failures.allSatisfy { $0.failure?.code == .unknownProperty } && !failures.isEmpty)
    }
  }

  @Test(arguments: StoreKind.allCases) func changesMeanwhileEndNothing(_ kind: StoreKind) throws {
    try withDogs(kind) { store, dogs in
      var met = 0
      for dog in dogs {
        met += 1
        if dog.id == 10 {
          try store.write { store.delete(store.objects(MadeDog.self).where { $0.id > 100 }) }
        }
      }
      #expect(met >= 101)
      let half = dogs[50..<100]
      try store.write { store.delete(store.objects(MadeDog.self).where { $0.id > 60 }) }
      let events = withExpectedEvents { #expect(half.count == 50 && half[99].realm == nil) }
      #expect(events.count == 1)
      let changed = dogs.map { dog in
        if dog.id == 0 { try? store.write { store.delete(store.objects(MadeDog.self).where { $0.id > 5 }) } }
        return dog.id
      }
      #expect(changed.count >= 6 && dogs.count == 6)
    }
  }
}
