import Fief
import Foundation
import TestEffort
import Testing

/// The state of a collection that its results see, and queries that are refused.
@Suite struct MemberStateTests {
  /// The sizes of a list in the record, and of one in a tree of its own, which the short form has in one place only.
  static let cases: [(place: MemberStore, size: Int)] =
    MemberStore.allCases.map { ($0, 20) }
    + TestEffort.first(1, of: [MemberStore.encrypted, .disk, .memory]).map { ($0, 1_500) }

  @Test(arguments: cases)
  func aWriteSeesWhatItHasChanged(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.fill(dogs: 50, elements: (0..<size).map { $0 % 40 })
      let outside = try repository.owner(in: nil)
      try repository.write { tx in
        let owner = try repository.owner(in: tx)
        let old = owner.dogs.where { $0.age > 100 }
        #expect(old.isEmpty)
        owner.dogs[3].age = 101
        #expect(old.map(\.id) == owner.dogs.filter { $0.age > 100 }.map(\.id) && !old.isEmpty)
        let dog = try #require(try tx.object(ofType: MemberDog.self, forPrimaryKey: 45))
        dog.age = 102
        owner.dogs.insert(dog, at: 0)
        #expect(old.first?.id == 45 && old.first === dog)
        owner.dogs.append(MemberDog(value: ["id": 70, "age": 103]))
        #expect(old.last?.id == 70)
        owner.dogs.remove(at: 0)
        #expect(old.first?.id == 3)
        // Outside of the write nothing has changed.
        #expect(repository.store().objects(MemberOwner.self).count == 2)
        let fresh = MemberOwner(value: ["id": 3])
        try tx.add(fresh)
        fresh.dogs.append(dog)
        #expect(fresh.dogs.where { $0.age == 102 }.count == 1)
      }
      #expect(outside.dogs.where { $0.age == 103 }.map(\.id) == [70])
      #expect(outside.dogs.results.count == size + 1)
    }
  }

  @Test(arguments: cases)
  func aLoopMayChangeTheList(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let elements = (0..<size).map { $0 % 40 }
      try repository.fill(dogs: 40, elements: elements)
      try repository.write { tx in
        let owner = try repository.owner(in: tx)
        var seen: [Int] = []
        for dog in owner.dogs.where({ $0.id % 2 == 0 }) {
          seen.append(dog.id)
          if let index = owner.dogs.index(of: dog) { owner.dogs.remove(at: index) }
          if dog.id == 4, let other = try tx.object(ofType: MemberDog.self, forPrimaryKey: 6) {
            owner.dogs.removeAll { $0 === other }
          }
        }
        #expect(!seen.contains(6))
        #expect(seen == elements.filter { $0 % 2 == 0 && $0 != 6 })
        #expect(owner.dogs.results.where { $0.id % 2 == 0 }.isEmpty)
        for dog in owner.dogs.results { dog.age += 1 }
        try owner.dogs.forEachObject { try tx.delete($0) }
        #expect(owner.dogs.results.isEmpty && owner.dogs.isEmpty)
      }
    }
  }

  @Test(arguments: cases)
  func anIterationGoesOnWhileOthersChangeTheList(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.fill(dogs: size, elements: Array(0..<size))
      let owner = try repository.owner(in: nil)
      var seen: [Int] = []
      for dog in owner.dogs.results {
        seen.append(dog.id)
        // Before the place where the iteration is.
        if seen.count % 5 == 0 {
          try repository.write { tx in
            let owner = try repository.owner(in: tx)
            owner.dogs.remove(at: 0)
            if seen.count % 2 == 0 { owner.dogs.move(from: owner.dogs.count - 1, to: owner.dogs.count - 1) }
          }
        }
      }
      #expect(seen == Array(0..<size))
      // A read sees one state.
      try repository.read { snapshot in
        let before = try repository.owner(in: snapshot).dogs.results
        let count = before.count
        try repository.write { try repository.owner(in: $0).dogs.removeAll() }
        #expect(before.count == count && before.reduce(0) { count, _ in count + 1 } == count)
      }
      #expect(owner.dogs.results.isEmpty)
    }
  }

  @Test(arguments: MemberStore.allCases) func goneOwnersHaveNothingAndGoneDogsAreLeftOut(place: MemberStore)
    throws
  {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.fill(dogs: 10, elements: [1, 2, 3, 2])
      let owner = try repository.owner(in: nil)
      let results = owner.dogs.results
      try repository.write { tx in
        try tx.delete(try #require(try tx.object(ofType: MemberDog.self, forPrimaryKey: 2)))
      }
      #expect(results.map(\.id) == [1, 3] && results.count == 2)
      #expect(
        owner.roles.results.count == 2 && owner.guards.results.count == 2 && owner.pack.results.count == 2
      )
      try repository.write { try $0.delete(try repository.owner(in: $0)) }
      #expect(results.isEmpty && results.first == nil)
      #expect(try results.all().isEmpty && owner.dogs.where { $0.age > 0 }.count == 0)
      #expect(try results.explain().estimatedRows == 0)
    }
  }

  @Test(arguments: MemberStore.allCases) func whatNoStoreHasIsAnError(place: MemberStore) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.fill(dogs: 10, elements: [1, 2, 3])
      func code(_ results: Results<MemberDog>) -> FiefError.Code? {
        do { _ = try results.all() } catch { return (error as? FiefError)?.code }
        return nil
      }
      let free = List([MemberRepository.dog(1)])
      #expect(code(free.results) == nil && free.results.first === free[0])
      let unsaved = MemberOwner(value: ["id": 9])
      unsaved.dogs.append(MemberRepository.dog(1))
      #expect(code(unsaved.dogs.where { $0.age > 0 }) == nil && unsaved.dogs.results.count == 1)
      let owner = try repository.owner(in: nil)
      #expect(code(owner.detached().dogs.where { $0.age > 0 }) == nil)
      #expect(code(owner.dogs.where { $0.age > 0 }) == nil)
      #expect(code(owner.dogs.filter("aeg > 0")) == .unknownProperty)
      #expect(code(owner.dogs.filter("age > ")) == .malformedQuery)
      #expect(code(owner.dogs.results.sortedByRelevance()) == .invalidQuery)
      owner.dogs.append(MemberRepository.dog(4))
      #expect(code(owner.dogs.where { $0.age > 0 }) == .invalidQuery)
      #expect(code(owner.pack.where { $0.age > 0 }) == nil)
      try repository.write { try $0.add(owner, update: .modified) }
      let saved = try repository.owner(in: nil)
      #expect(saved.dogs.where { $0.id == 4 }.count == 1)
      // A list in an embedded object.
      let home = try #require(saved.home)
      #expect(home.kennel.where { $0.id > 1 }.map(\.id) == [2, 3])
      #expect(home.kennel.results.contains(MemberRepository.dog(1)))
      try repository.write { tx in
        let owner = try repository.owner(in: tx)
        owner.home?.kennel.removeLast()
        #expect(owner.home?.kennel.where { $0.id > 1 }.map(\.id) == [2])
        owner.homes.append(MemberHome())
      }
      let listed = try repository.owner(in: nil)
      #expect(code(listed.homes[0].kennel.results) == .invalidQuery)
    }
  }

  @Test func noObjectIsMadeThatIsNotReturned() throws {
    try MemberRepository.with(.memory) { repository in
      defer { repository.closeChecked() }
      try repository.fill(dogs: 300, elements: Array(0..<300))
      let owner = try repository.owner(in: nil)
      func made(_ body: () throws -> Void) rethrows -> UInt64 {
        let before = repository.store().metrics.objectsRead
        try body()
        return repository.store().metrics.objectsRead - before
      }
      #expect(made { _ = owner.dogs.where { $0.age > 6 }.count } == 0)
      #expect(made { _ = owner.dogs.sorted(byKeyPath: "rank").first } == 1)
      #expect(made { _ = owner.dogs.sum(of: \.age) } == 0)
      #expect(made { _ = owner.dogs.results.last } == 1)
    }
  }

  @Test(arguments: MemberStore.allCases) func longKeysOfALargeSetHaveTheirPages(place: MemberStore) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let long = String(repeating: "x", count: 410)
      try repository.write { tx in
        let book = MemberBook(value: ["id": 1])
        for index in 0..<60 {
          let path = index % 2 == 0 ? "\(long)\(index)" : "short \(index)"
          let page = MemberPage(value: ["path": path, "rank": index])
          book.pages.insert(page)
        }
        try tx.add(book)
      }
      let book = try #require(repository.object(ofType: MemberBook.self, forPrimaryKey: 1))
      for results in [
        book.pages.results, book.pages.where { $0.rank > 5 }, book.pages.sorted(byKeyPath: "rank"),
      ] {
        let all = try results.all().map(\.rank)
        var paged: [Int] = []
        var page = try results.page(7)
        paged += page.objects.map(\.rank)
        while page.hasMore {
          page = try results.page(7, after: page.end)
          paged += page.objects.map(\.rank)
        }
        #expect(paged == all && Set(all).count == all.count)
        #expect(results.map(\.rank) == all)
      }
      #expect(book.pages.results.count == 60)
    }
  }
}
