import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

@testable import FiefObserving

/// Observers of collections, objects and pages arrive at the state of the store, over random writes.
@Suite(.timeLimit(.minutes(20))) struct TrackedPartsTests {
  /// A dog and its collections, each of them observed.
  private final class Parts {
    let id: Int
    var lists: [(listener: TrackedListener, now: (TrackedDog) -> [String])] = []
    var maps: [(listener: TrackedMap, now: (TrackedDog) -> [String: String])] = []
    var tokens: [NotificationToken] = []

    init(_ dog: TrackedDog) {
      id = dog.id
      list("friends", dog.friends) { dog in Self.texts(dog.friends) }
      list("pack", dog.pack) { dog in Self.texts(dog.pack) }
      list("scores", dog.scores) { dog in dog.scores.map { "\($0)" } }
      list("tags", dog.tags) { dog in Array(dog.tags) }
      list("places", dog.places) { dog in dog.places.map { "\($0.street) \(Array($0.numbers))" } }
      if let numbers = dog.home?.numbers {
        list("numbers", numbers) { dog in dog.home?.numbers.map { "\($0)" } ?? [] }
      }
      let fans = TrackedListener("fans")
      tokens.append(dog.fans.observe { change in fans.note(change) { Self.texts($0) } })
      lists.append((fans, { Self.texts($0.fans) }))
      let friends = TrackedListener("friends by name")
      tokens.append(
        dog.friends.observe(keyPaths: ["name"]) { change in
          friends.note(change) { $0.map { "\($0.id) \($0.name)" } }
        }
      )
      lists.append((friends, { $0.friends.map { "\($0.id) \($0.name)" } }))
      let (ratings, named) = (TrackedMap("ratings"), TrackedMap("named"))
      tokens.append(dog.ratings.observe { change in ratings.note(change, Self.ratings) })
      tokens.append(dog.named.observe { change in named.note(change, Self.named) })
      maps = [(ratings, { Self.ratings($0.ratings) }), (named, { Self.named($0.named) })]
    }

    private func list<List: ObservableCollection & Sequence>(
      _ name: String,
      _ list: List,
      _ now: @escaping @Sendable (TrackedDog) -> [String]
    )
    where
      List.ObservedCollection: Sequence & SendableMetatype, List.ObservedCollection.Element == List.Element
    {
      let listener = TrackedListener(name)
      tokens.append(list.observe { change in listener.note(change) { Self.texts($0) } })
      lists.append((listener, now))
    }

    private static func texts(_ elements: some Sequence) -> [String] {
      var known: [Int: String] = [:]
      return elements.map { element in
        switch element {
        case let dog as TrackedDog:
          let text = known[dog.id] ?? Self.text(dog)
          known[dog.id] = text
          return text
        case let place as TrackedPlace: return "\(place.street) \(Array(place.numbers))"
        default: return "\(element)"
        }
      }
    }

    private static func text(_ dog: TrackedDog) -> String { "\(dog.id) " + PlainDog(dog).text }

    private static func ratings(_ map: Map<String, Int>) -> [String: String] {
      map.reduce(into: [:]) { $0[$1.key] = "\($1.value)" }
    }

    private static func named(_ map: Map<String, TrackedDog?>) -> [String: String] {
      map.reduce(into: [:]) { $0[$1.key] = $1.value.map(text) ?? "nobody" }
    }

    func check(_ dog: TrackedDog?, _ comment: Comment) {
      for (listener, now) in lists {
        #expect(listener.wrong == [], "\(comment), \(id)")
        #expect(listener.rows == dog.map(now) ?? [], "\(comment), \(id) \(listener.name)")
      }
      for (listener, now) in maps {
        #expect(listener.state.withLock { $0.wrong } == [], "\(comment), \(id)")
        #expect(
          listener.state.withLock { $0.values } == dog.map(now) ?? [:],
          "\(comment), \(id) \(listener.name)"
        )
      }
    }

    var isWrong: Bool {
      lists.contains { !$0.listener.wrong.isEmpty }
        || maps.contains { $0.listener.state.withLock { !$0.wrong.isEmpty } }
    }
  }

  private static let ways: [(paths: [String]?, read: @Sendable (TrackedDog) -> [String: String])] = [
    (nil, { PlainDog($0).properties }),
    (["name", "scores"], { ["name": $0.name, "scores": "\(Array($0.scores))"] }),
    (
      ["house.next.next.next.label", "rank"],
      {
        ["house": "\($0.house?.next?.next?.next?.label as Any)", "rank": "\($0.rank)"]
      }
    ),
    (
      ["friends.name", "fans.rank"],
      { ["friends": "\($0.friends.map(\.name))", "fans": "\($0.fans.map(\.rank))"] }
    ),
    (
      ["mate.friends.mate.name"],
      {
        ["mate": $0.mate.map { "\($0.friends.map { $0.mate?.name ?? "-" })" } ?? "nobody"]
      }
    ),
    (
      ["home.numbers", "places.street", "named.rank"],
      { dog in
        [
          "home": "\(dog.home.map { Array($0.numbers) } as Any)", "places": "\(dog.places.map(\.street))",
          "named": "\(dog.named.map { "\($0.key) \($0.value?.rank as Any)" }.sorted())",
        ]
      }
    ),
  ]

  @Test(arguments: TestEffort.first(2, of: [(true, 8), (false, 40), (false, 8), (true, 40)]))
  func collectionsAndObjectsArrive(inMemory: Bool, dogs: Int) throws {
    let seed =
      ProcessInfo.processInfo.environment["TRACKED_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0..<1 << 32)
    print("seed", seed)
    var writes = TrackedWrites(random: StressRandom(seed: seed), dogs: dogs)
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try repository.write { tx in
        try writes.fill(tx)
        for id in 0..<3 {
          try tx.object(ofType: TrackedDog.self, forPrimaryKey: id)?.home = TrackedPlace(value: [
            "street": "n1"
          ])
        }
      }
      let parts = try (0..<3).map { Parts(try #require(repository.dog($0))) }
      var objects: [(object: TrackedObject, way: Int, token: NotificationToken?)] = []
      func observe(_ id: Int, _ way: Int) {
        guard let dog = repository.dog(id) else { return }
        let object = TrackedObject(dog, Self.ways[way].read)
        objects.append((object, way, dog.observe(keyPaths: Self.ways[way].paths) { object.note($0) }))
      }
      for id in 0..<5 { for way in Self.ways.indices { observe(id, way) } }
      try repository.delivered()
      for round in 0..<(dogs > 8 ? TestEffort.count(3, more: 12) : TestEffort.count(6, more: 40)) {
        let commits = 1 + writes.random.next(3)
        for _ in 0..<commits {
          let steps = writes.random.next(12) == 0 ? 60 : 1 + writes.random.next(5)
          try repository.write { tx in for _ in 0..<steps { try writes.step(tx) } }
          if writes.random.next(2) == 0 { try repository.delivered() }
        }
        try repository.delivered()
        let comment: Comment = "seed \(seed), round \(round)"
        for part in parts { part.check(repository.dog(part.id), comment) }
        for (object, way, _) in objects where !object.isEnded {
          #expect(object.wrong == [], comment)
          let dog = repository.dog(object.id)
          #expect(dog.map(Self.ways[way].read) == object.values, "\(comment), \(object.id), way \(way)")
        }
        if parts.contains(where: \.isWrong) || objects.contains(where: { !$0.object.wrong.isEmpty }) { break }
        let ended = objects.filter(\.object.isEnded)
        objects.removeAll(where: \.object.isEnded)
        for (object, way, _) in ended { observe(object.id, way) }
        for id in 0..<5 {
          for way in Self.ways.indices where !objects.contains(where: { $0.object.id == id && $0.way == way })
          {
            observe(id, way)
          }
        }
      }
      withExtendedLifetime((parts, objects)) {}
    }
  }

  @Test(arguments: TestEffort.first(2, of: [(false, true), (true, false), (true, true), (false, false)]))
  func pagesArrive(inMemory: Bool, isLast: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var writes = TrackedWrites(random: StressRandom(seed: seed), dogs: 60)
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try repository.write { try writes.fill($0) }
      let pages = PagedResults(
        repository.dogs.filter("rank > 1").sorted(byKeyPath: "rank", ascending: isLast),
        pageSize: 5,
        newest: isLast ? .last : .first
      )
      let listener = TrackedListener("pages")
      let token = pages.observe { change in
        listener.note(change) { $0.map { "\($0.id) " + PlainDog($0).text } }
      }
      try repository.delivered()
      for round in 0..<TestEffort.count(9, more: 60) {
        let before = listener.rows.count
        let isMore = writes.random.next(8) == 0
        if isMore { pages.loadMore() }
        if !isMore || writes.random.next(2) == 0 {
          try repository.write { tx in for _ in 0..<(1 + writes.random.next(4)) { try writes.step(tx) } }
        }
        try repository.delivered()
        let comment: Comment = "seed \(seed), round \(round)"
        let all = try PlainWorld(repository).sorted {
          $0.rank > 1
        } by: { first, second in
          first.rank == second.rank ? nil : (first.rank < second.rank) == isLast
        }.map { "\($0.id) " + $0.text }
        let rows = listener.rows
        #expect(
          listener.wrong == [] && rows == Array(isLast ? all.suffix(rows.count) : all.prefix(rows.count)),
          comment
        )
        #expect(pages.hasMore || rows.count == all.count, comment)
        if round == 0, !isMore { #expect(before == min(5, all.count), comment) }
        if !listener.wrong.isEmpty { break }
      }
      while pages.loadMore() { try repository.delivered() }
      #expect(listener.rows.count == repository.dogs.filter("rank > 1").count && listener.wrong == [])
      withExtendedLifetime(token) {}
    }
  }

  @Test(arguments: [false, true]) func aPageThatHasGoneIsTheLastOne(inMemory: Bool) throws {
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try repository.write { tx in
        for id in 0..<6 { try tx.create(TrackedDog.self, value: ["id": id, "rank": id]) }
      }
      let pages = PagedResults(repository.dogs.sorted(byKeyPath: "rank"), pageSize: 5)
      let token = pages.observe { _ in }
      try repository.delivered()
      try repository.write { tx in
        try tx.delete(try #require(try tx.object(ofType: TrackedDog.self, forPrimaryKey: 0)))
      }
      try repository.delivered()
      pages.loadMore()
      try repository.delivered()
      #expect(!pages.hasMore && !pages.loadMore())
      withExtendedLifetime(token) {}
    }
  }

  @Test(arguments: [false, true]) func oneListenerHasMoreToLoadThanAnother(inMemory: Bool) throws {
    try TrackedRepository.with(inMemory: inMemory) { repository in
      func add(_ ids: Range<Int>) throws {
        try repository.write { tx in
          for id in ids { try tx.create(TrackedDog.self, value: ["id": id, "rank": id]) }
        }
        try repository.delivered()
      }
      try add(0..<7)
      let pages = PagedResults(repository.dogs.sorted(byKeyPath: "rank"), pageSize: 5)
      let (early, late) = (TrackedListener("early"), TrackedListener("late"))
      let first = pages.observe { change in early.note(change) { $0.map { "\($0.id) \($0.name)" } } }
      try repository.delivered()
      try add(7..<30)
      let second = pages.observe { change in late.note(change) { $0.map { "\($0.id) \($0.name)" } } }
      try repository.delivered()
      for count in [10, 15, 20, 25, 30] {
        #expect(pages.loadMore())
        try repository.delivered()
        #expect(early.rows.count == 30 && late.rows.count == count)
        // Something that the early one has to report last.
        try repository.write { try $0.object(ofType: TrackedDog.self, forPrimaryKey: 0)?.name = "\(count)" }
        try repository.delivered()
      }
      #expect(!pages.hasMore && early.wrong + late.wrong == [])
      withExtendedLifetime((first, second)) {}
    }
  }
}
