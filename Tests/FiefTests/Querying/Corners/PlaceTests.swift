import Fief
import Foundation
import TestEffort
import Testing

/// Realm's methods for places in results, in each front end.
@Suite(.timeLimit(.minutes(20))) struct PlaceTests {
  @Test func placesAreFoundInEachFrontEnd() throws {
    try CornerRepository.forAll(40) {
      $0.number = 39 - $0.id
      $0.name = "n\($0.id % 4)"
    } _: { repository in
      let items = repository.items.sorted(byKeyPath: "number").where { $0.id < 30 }
      let ids = (0..<30).reversed().map { $0 }
      #expect(items.map(\.id) == ids)
      let third = ids.firstIndex { $0 < 20 && $0 % 4 == 1 }
      #expect(items.index(matching: { $0.id < 20 && $0.name == "n1" }) == third)
      #expect(items.index(matching: #Predicate { $0.id < 20 && $0.name == "n1" }) == third)
      #expect(items.index(matching: "id < %@ AND name == 'n1'", 20) == third)
      #expect(items.index(matching: "id > 30") == nil && items.index(matching: "") == 0)
      let first = items.first { $0.id < 20 }
      #expect(first?.id == 19 && items.contains { $0.id == 3 } && !items.contains { $0.id == 33 })
      #expect(items.objects(at: [0, 2, 29, 30, 1000]).map(\.id) == [29, 27, 0])
      #expect(items.objects(at: IndexSet(integersIn: 3..<6)).map(\.id) == [26, 25, 24])
      #expect(items.objects(at: []).isEmpty)
      #expect(items.limit(toLast: 3).objects(at: [0, 2]).map(\.id) == [2, 0])
      try repository.read { scope in
        let items = scope.objects(CornerItem.self).sorted(byKeyPath: "number")
        #expect(items.objects(at: [1]).first === items[1])
      }
      for wrong in ["id >", "none == 1", "id == 1 SORT(id)", "id == 'x'"] {
        #expect(items.index(matching: wrong) == nil)
        #expect(failure { try items.fetchIndex(matching: wrong) } is FiefError, "\(wrong)")
      }
      #expect(failure { try items.fetchIndex(matching: "id == %@") } is FiefError)
      let failing = items.sorted(byKeyPath: "none")
      #expect(failing.objects(at: [0]).isEmpty && failure { try failing.fetchObjects(at: []) } is FiefError)
    }
  }

  /// Another process has opened the store since the cursor was handed out.
  @Test func cursorsGoOnInAStoreThatIsOpenedAgain() throws {
    let directory = try TemporaryDirectory()
    let repository = CornerRepository(realmMemoryType: .inStorage, directory: directory.path)
    try repository.store().write { transaction in
      for id in 0..<50 {
        let item = CornerItem(id)
        item.rating = id % 5 == 0 ? nil : Double(id % 7)
        item.name = "n\(id % 3)"
        try transaction.add(item)
      }
    }
    var expected: [Int] = []
    var found: [Int] = []
    var json: Data?
    repeat {
      let results = repository.items.sorted(by: [
        PropertyOrder(keyPath: "rating", ascending: false, nils: .last), PropertyOrder(keyPath: "name"),
      ])
      if expected.isEmpty { expected = results.map(\.id) }
      let page = try results.page(
        9,
        after: try json.map { try JSONDecoder().decode(QueryCursor.self, from: $0) }
      )
      found += page.objects.map(\.id)
      json = page.hasMore ? try JSONEncoder().encode(page.end) : nil
      repository.close()
    } while json != nil
    #expect(found == expected && found.count == 50)
    repository.closeChecked()
  }

  /// Pages that several threads read at once, while others write, have each object that stays.
  @Test func pagesWhileOthersWrite() async throws {
    let repository = CornerRepository()
    try await repository.store().write { transaction in
      for id in 0..<600 {
        let item = CornerItem(id)
        item.numberIndexed = id / 7
        item.number = id / 7
        try transaction.add(item)
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for name in ["number", "numberIndexed", "id", "number"] {
        group.addTask {
          for size in 20..<TestEffort.count(22, more: 24) {
            let ids = try repository.items.sorted(byKeyPath: name).inPages(of: size).map(\.id)
            #expect(ids.filter { $0 < 600 } == Array(0..<600), "\(name) \(size)")
            let back = try repository.items.sorted(byKeyPath: name).inPagesFromTheEnd(of: size).map(\.id)
            #expect(back.filter { $0 < 600 } == Array(0..<600), "\(name) \(size)")
          }
        }
      }
      group.addTask {
        for step in 0..<TestEffort.count(20, more: 40) {
          try await repository.store().write { transaction in
            let item = CornerItem(1000 + step % 20)
            item.number = step
            item.numberIndexed = step
            try transaction.add(item, update: .all)
          }
        }
      }
      try await group.waitForAll()
    }
    repository.closeChecked()
  }
}
