import Fief
import Foundation
import TestEffort
import Testing

/// Lists, sets and maps of objects as results.
@Suite struct MemberQueryTests {
  /// The sizes of a list in the record, and of one in a tree of its own.
  /// The short form has the large size in one place only.
  static let cases: [(place: MemberStore, size: Int)] =
    MemberStore.allCases.map { ($0, 40) }
    + TestEffort.first(1, of: [MemberStore.encrypted, .disk, .memory]).map {
      ($0, TestEffort.count(1_300, more: 1_500))
    }

  private static func elements(_ count: Int) -> [Int] { (0..<count).map { ($0 * 37 + $0 / 7) % 60 } }

  @Test(arguments: cases)
  func aListIsAskedInItsOrderWithItsDuplicates(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let elements = Self.elements(size)
      try repository.fill(dogs: 60, elements: elements)
      let dogs = elements.map { MemberRepository.dog($0) }
      try repository.inEachScope { owner in
        func check(_ results: Results<MemberDog>, _ expected: [MemberDog]) throws {
          let ids = expected.map(\.id)
          #expect(Array(results).map(\.id) == ids)
          #expect(try results.all().map(\.id) == ids)
          #expect(results.count == ids.count && results.isEmpty == ids.isEmpty)
          #expect(results.first?.id == ids.first && results.last?.id == ids.last)
          #expect(results[3]?.id == (ids.count > 3 ? ids[3] : nil))
          #expect(results.limit(toLast: 3).map(\.id) == Array(ids.suffix(3)))
          #expect(results.sum(of: \.age) == expected.reduce(0) { $0 + $1.age })
          #expect(results.offset(2).limit(4).map(\.id) == Array(ids.dropFirst(2).prefix(4)))
        }
        try check(owner.dogs.results, dogs)
        try check(owner.dogs.where { $0.age > 6 }, dogs.filter { $0.age > 6 })
        try check(owner.dogs.filter("age > %@", 6), dogs.filter { $0.age > 6 })
        try check(owner.dogs.filter(#Predicate { $0.age > 6 }), dogs.filter { $0.age > 6 })
        try check(owner.dogs.where { $0.city == "Ulm" }, dogs.filter { $0.city == "Ulm" })
        try check(
          owner.dogs.where { $0.city == "Ulm" && $0.rank > 3 },
          dogs.filter { $0.city == "Ulm" && $0.rank > 3 }
        )
        try check(
          owner.dogs.where { $0.mother.age > 6 },
          dogs.filter { ($0.id > 0 ? $0.id / 2 * 5 % 13 : 0) > 6 }
        )
        // Elements that a sort finds equal stay in the order of the list.
        let byAge = dogs.enumerated().sorted { ($0.element.age, $0.offset) < ($1.element.age, $1.offset) }
        try check(owner.dogs.sorted(byKeyPath: "age"), byAge.map(\.element))
        let fromAge = dogs.enumerated().sorted { ($1.element.age, $0.offset) < ($0.element.age, $1.offset) }
        try check(owner.dogs.sorted(byKeyPath: \.age, ascending: false), fromAge.map(\.element))
        let young: [(offset: Int, element: MemberDog)] = dogs.enumerated().filter { $0.element.age < 5 }
        let byRank = young.sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        try check(
          owner.dogs.sorted(by: [PropertyOrder(keyPath: "rank")]).where { $0.age < 5 },
          byRank.map(\.element)
        )
        var seen: Set<String> = []
        try check(owner.dogs.distinct(by: \.name), dogs.filter { seen.insert($0.name).inserted })
        let ranks: [Int] = dogs.map(\.rank)
        #expect(owner.dogs.min(of: \.age) == dogs.map(\.age).min())
        #expect(owner.dogs.max(of: \.weight) == dogs.compactMap(\.weight).max())
        #expect(
          owner.dogs.average(ofProperty: "rank") == Double(ranks.reduce(0, +)) / Double(size)
        )
        #expect(owner.dogs.results.index(matching: { $0.age == 4 }) == dogs.firstIndex { $0.age == 4 })
        #expect(
          owner.dogs.results.contains(dogs[5]) && !owner.dogs.results.contains(MemberRepository.dog(99))
        )
        #expect(owner.dogs.results.index(of: dogs[5]) == elements.firstIndex(of: dogs[5].id))
        let groups = try owner.dogs.results.grouped(by: \.city).counts()
        #expect(groups.map(\.values).reduce(0, +) == size)
        let sections = try owner.dogs.sectioned(by: \.rank).all()
        #expect(sections.map(\.key) == Set(dogs.map(\.rank)).sorted())
        for section in sections {
          #expect(section.objects.map(\.id) == dogs.filter { $0.rank == section.key }.map(\.id))
        }
        let pairs = try owner.dogs.where { $0.age > 6 }.select(\.id, \.age).all()
        let old: [MemberDog] = dogs.filter { $0.age > 6 }
        #expect(pairs.map(\.0) == old.map(\.id))
      }
    }
  }

  @Test(arguments: cases)
  func setsAndMapsAreAskedInTheOrderOfTheirKeys(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let count = size / 2
      try repository.fill(dogs: count, elements: (0..<count).map { $0 * 7 % count })
      try repository.inEachScope { owner in
        let ids = Set((0..<count).map { $0 * 7 % count }).sorted()
        #expect(owner.pack.results.map(\.id) == ids)
        #expect(owner.pack.where { $0.id < 9 }.map(\.id) == ids.filter { $0 < 9 })
        #expect(owner.pack.where { $0.city == "Kiel" }.count == ids.filter { $0 % 5 == 3 }.count)
        #expect(owner.pack.results.last?.id == ids.last)
        #expect(owner.pack.sorted(byKeyPath: \.id, ascending: false).first?.id == ids.last)
        let values = owner.roles.compactMap { $0.value?.id }
        #expect(owner.roles.results.map(\.id) == values && values.count == ids.count)
        #expect(owner.roles.results.count == ids.count)
        #expect(owner.roles.where { $0.age == 5 }.map(\.id) == values.filter { $0 * 5 % 13 == 5 })
        #expect(owner.guards.results.map(\.id) == owner.guards.values.map(\.id))
        #expect(owner.guards.filter("rank = 3").count == ids.filter { $0 * 3 % 11 == 3 }.count)
        // Pages, of which each begins at a cursor.
        for results in [owner.pack.results, owner.roles.results, owner.pack.where { $0.age > 3 }] {
          let all = try results.all().map(\.id)
          var paged: [Int] = []
          let size = TestEffort.count(max(7, all.count / 10), more: max(7, all.count / 40))
          var page = try results.page(size)
          paged += page.objects.map(\.id)
          while page.hasMore {
            page = try results.page(size, after: page.end)
            paged += page.objects.map(\.id)
          }
          #expect(paged == all)
        }
      }
    }
  }

  @Test(arguments: cases)
  func pagesOfAListGoOnBehindTheirEnds(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let elements = Self.elements(size)
      try repository.fill(dogs: 60, elements: elements)
      let owner = try repository.owner(in: nil)
      for results in [
        owner.dogs.results, owner.dogs.where { $0.age > 6 }, owner.dogs.sorted(byKeyPath: "rank"),
        owner.dogs.sorted(byKeyPath: "rank", ascending: false).where { $0.age > 6 },
      ] {
        let all = try results.all().map(\.id)
        var paged: [Int] = []
        var page = try results.page(size / 5 + 3)
        paged += page.objects.map(\.id)
        while page.hasMore {
          page = try results.page(size / 5 + 3, after: try QueryCursor(text: try #require(page.end).text))
          paged += page.objects.map(\.id)
        }
        #expect(paged == all)
        let last = try results.page(9, before: page.start)
        #expect(last.objects.map(\.id) == all.dropLast(page.objects.count).suffix(9))
      }
      // An element that is inserted before a place does not move it.
      let first = try owner.dogs.results.page(10)
      try repository.write { tx in
        let owner = try repository.owner(in: tx)
        let dog = try #require(try tx.object(ofType: MemberDog.self, forPrimaryKey: 59))
        owner.dogs.insert(dog, at: 3)
      }
      let second = try owner.dogs.results.page(10, after: first.end)
      #expect(second.objects.map(\.id) == Array(elements[10..<20]))
      #expect(throws: FiefError.self) { try owner.dogs.where { $0.age > 1 }.page(5, after: first.end) }
      #expect(throws: FiefError.self) {
        try repository.store().objects(MemberDog.self).page(5, after: first.end)
      }
      let dog = owner.dogs[7]
      let cursor = try owner.dogs.results.cursor(for: dog)
      #expect(owner.dogs.results.start(at: cursor).first?.id == dog.id)
    }
  }

  @Test(arguments: cases)
  func whatObjectsLeadToIsPrefetched(place: MemberStore, size: Int) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let elements = Self.elements(size)
      try repository.fill(dogs: 60, elements: elements)
      try repository.inEachScope { owner in
        let results = owner.dogs.where { $0.id > 3 }.prefetching(\.mother)
        let mothers = elements.filter { $0 > 3 }.map { $0 / 2 }
        #expect(results.map { $0.mother?.id ?? 0 } == mothers)
        let all = try results.all()
        #expect(all.map { $0.mother?.id ?? 0 } == mothers)
        let page = try results.page(20)
        #expect(page.objects.map { $0.mother?.id ?? 0 } == Array(mothers.prefix(20)))
      }
    }
  }

  @Test(arguments: MemberStore.allCases) func plansSayWhatTheyGoThrough(place: MemberStore) throws {
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      let count = TestEffort.count(1_500, more: 2_000)
      try repository.fill(dogs: count, elements: (0..<count).map { $0 * 7 % count })
      try repository.write { tx in
        try tx.object(ofType: MemberDog.self, forPrimaryKey: 17)?.city = "Rom"
      }
      let owner = try repository.owner(in: nil)
      let all = try owner.dogs.explain()
      #expect(all.access == .elements("dogs", of: "MemberOwner", key: "1") && all.order == .found)
      #expect("\(all)".contains("elements of dogs of MemberOwner 1"))
      // An index that leaves few is asked first, and the answer not checked again.
      let rome = try owner.dogs.where { $0.city == "Rom" }.explain()
      guard case .intersection(let parts) = rome.access else {
        Issue.record("\(rome)")
        return
      }
      #expect(parts.last == .elements("dogs", of: "MemberOwner", key: "1") && rome.condition == nil)
      #expect(owner.dogs.where { $0.city == "Rom" }.map(\.id) == [17])
      #expect(try owner.dogs.where { $0.city == "Rom" }.explain(.count).isIndexOnly)
      // One that leaves a great part is not, where the list is short.
      try repository.write { tx in
        let owner = try repository.owner(2, in: tx)
        for id in 0..<5 {
          owner.dogs.append(try #require(try tx.object(ofType: MemberDog.self, forPrimaryKey: id)))
        }
      }
      let other = try repository.owner(2, in: nil)
      let plan = try other.dogs.where { $0.city == "Ulm" && $0.age > 3 }.explain()
      #expect(plan.access == .elements("dogs", of: "MemberOwner", key: "2") && plan.condition != nil)
      #expect(try owner.dogs.sorted(byKeyPath: "age").limit(5).explain().order == .sortedKeeping(5))
      #expect(try owner.dogs.results.limit(toLast: 5).explain().isBackward)
    }
  }
}
