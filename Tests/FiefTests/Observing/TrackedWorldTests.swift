import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

/// Observers that apply the reported changes to arrays arrive at the same arrays as plain Swift that reads
/// all objects.
@Suite(.timeLimit(.minutes(20))) struct TrackedWorldTests {
  /// A query, and the same in plain Swift.
  struct Question: Sendable {
    let name: String
    let results: @Sendable (Results<TrackedDog>) -> Results<TrackedDog>
    let answer: @Sendable (PlainWorld) -> [PlainDog]

    init(
      _ name: String,
      _ results: @escaping @Sendable (Results<TrackedDog>) -> Results<TrackedDog>,
      _ answer: @escaping @Sendable (PlainWorld) -> [PlainDog]
    ) {
      self.name = name
      self.results = results
      self.answer = answer
    }

    /// A condition in the text form.
    static func filter(_ text: String, _ isRow: @escaping @Sendable (PlainDog, PlainWorld) -> Bool)
      -> Question
    {
      Question(
        text,
        { $0.filter(text) },
        { world in
          world.sorted {
            isRow($0, world)
          } by: { _, _ in
            nil
          }
        }
      )
    }
  }

  private static let questions: [Question] = [
    .filter("TRUEPREDICATE") { _, _ in true },
    .filter("mate.rank > 4") { dog, world in dog.mate.flatMap { world.dogs[$0] }.map { $0.rank > 4 } ?? false
    },
    .filter("house.next.next.next.label == 'h1'") { dog, world in world.label(dog.house, 3) == "h1" },
    .filter("friends.@count > 2") { dog, _ in dog.friends.count > 2 },
    .filter("fans.@count > 0") { dog, world in !world.fans(dog.id).isEmpty },
    .filter("ANY friends.rank > 5") { dog, world in dog.friends.contains { (world.dogs[$0]?.rank ?? 0) > 5 }
    },
    .filter("home.street == 'n1'") { dog, _ in dog.street == "n1" },
    .filter("ANY home.numbers > 4") { dog, _ in dog.numbers.contains { $0 > 4 } },
    .filter("ANY places.street == 'n2'") { dog, _ in dog.places.contains { $0.hasPrefix("n2 ") } },
    .filter("ANY tags == 'n3'") { dog, _ in dog.tags.contains("n3") },
    .filter("ANY scores == 4") { dog, _ in dog.scores.contains(4) },
    .filter("ANY fans.name == 'n2'") { dog, world in world.fans(dog.id).contains { $0.name == "n2" } },
    .filter("mate == nil AND note == nil") { dog, _ in dog.mate == nil && dog.note == nil },
    .filter("id IN {0, 3, 5, 100} AND rank > 3") { dog, _ in [0, 3, 5, 100].contains(dog.id) && dog.rank > 3
    },
    Question("rank, ties", { $0.filter("rank > 2").sorted(byKeyPath: "rank") }) {
      $0.sorted {
        $0.rank > 2
      } by: {
        compared($0.rank, $1.rank)
      }
    },
    Question("name descending", { $0.sorted(byKeyPath: "name", ascending: false) }) {
      $0.sorted { _ in
        true
      } by: {
        compared($1.name, $0.name)
      }
    },
    Question("derived", { $0.filter("friendCount > 0").sorted(byKeyPath: "friendCount") }) {
      $0.sorted {
        $0.friendCount > 0
      } by: {
        compared($0.friendCount, $1.friendCount)
      }
    },
    Question("limit 3", { $0.sorted(byKeyPath: "rank").limit(3) }) {
      Array(
        $0.sorted { _ in
          true
        } by: {
          compared($0.rank, $1.rank)
        }.prefix(3)
      )
    },
    Question("limit 2 of ids", { $0.limit(2) }) {
      Array(
        $0.sorted { _ in
          true
        } by: { _, _ in
          nil
        }.prefix(2)
      )
    },
    Question("offset 4 limit 5", { $0.filter("rank < 7").sorted(byKeyPath: "name").offset(4).limit(5) }) {
      Array(
        $0.sorted {
          $0.rank < 7
        } by: {
          compared($0.name, $1.name)
        }.dropFirst(4).prefix(5)
      )
    },
    Question("last 4", { $0.sorted(byKeyPath: "rank").limit(toLast: 4) }) {
      $0.sorted { _ in
        true
      } by: {
        compared($0.rank, $1.rank)
      }.suffix(4)
    },
    Question("distinct", { $0.sorted(byKeyPath: "rank").distinct(by: ["name"]) }) {
      var seen: Set<String> = []
      return $0.sorted { _ in
        true
      } by: {
        compared($0.rank, $1.rank)
      }.filter { seen.insert($0.name).inserted }
    },
    Question("weight", { $0.sorted(byKeyPath: "weight") }) {
      $0.sorted { _ in
        true
      } by: {
        compared($0.weight ?? -1, $1.weight ?? -1)
      }
    },
    Question("mate's rank", { $0.filter("mate != nil").sorted(byKeyPath: "mate.rank") }) { world in
      world.sorted {
        $0.mate != nil
      } by: {
        compared(
          $0.mate.flatMap { world.dogs[$0]?.rank } ?? -1,
          $1.mate.flatMap { world.dogs[$0]?.rank } ?? -1
        )
      }
    },
  ]

  private static func compared<Value: Comparable>(_ first: Value, _ second: Value) -> Bool? {
    first == second ? nil : first < second
  }

  /// Ways that are watched, with what they lead to.
  private static let ways: [(paths: [String], value: @Sendable (TrackedDog) -> String)] = [
    (["name"], { $0.name }),
    (["house.next.next.next.label"], { "\($0.house?.next?.next?.next?.label as Any)" }),
    (["mate.rank", "tags"], { "\($0.mate?.rank as Any) \($0.tags.sorted())" }),
    (["friends.name"], { "\($0.friends.map(\.name))" }),
    (["fans.name"], { "\($0.fans.map(\.name))" }),
    (["home.street"], { "\($0.home?.street as Any)" }),
    (["scores"], { "\(Array($0.scores))" }),
    (["mate"], { "\($0.mate?.id as Any)" }),
    (
      ["ratings", "places.street"],
      { dog in
        "\(dog.ratings.map { "\($0.key) \($0.value)" }.sorted()) \(dog.places.map(\.street))"
      }
    ),
  ]

  /// The rows as the places in the results lead to them.
  private static func rows(_ results: Results<TrackedDog>, _ text: (TrackedDog) -> String) -> [String] {
    let rows = (0..<results.count).map { results[$0].map(text) ?? "nothing" }
    #expect(rows == results.map(text), "places lead to other objects")
    return rows
  }

  @Test(arguments: TestEffort.first(2, of: [(true, 60), (false, 12), (true, 12), (false, 300), (false, 60)]))
  func everyListenerArrives(inMemory: Bool, dogs: Int) throws {
    let seed =
      ProcessInfo.processInfo.environment["TRACKED_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0..<1 << 32)
    print("seed", seed)
    var writes = TrackedWrites(random: StressRandom(seed: seed), dogs: dogs)
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try repository.write { try writes.fill($0) }
      var tokens: [NotificationToken] = []
      let plain = Self.questions.map { question in
        let listener = TrackedListener(question.name)
        tokens.append(
          question.results(repository.dogs).observe { change in
            listener.note(change) { Self.rows($0) { "\($0.id) " + PlainDog($0).text } }
          }
        )
        return (question, listener)
      }
      let watched = Self.ways.flatMap { way in
        [0, 15, 17].map { number in
          let (question, value) = (Self.questions[number], way.value)
          let listener = TrackedListener("\(question.name) watching \(way.paths)")
          tokens.append(
            question.results(repository.dogs).observe(keyPaths: way.paths) { change in
              listener.note(change) { Self.rows($0) { "\($0.id) " + value($0) } }
            }
          )
          return (question, listener, value)
        }
      }
      try repository.delivered()
      for round in 0..<(dogs == 300 ? TestEffort.count(1, more: 3) : TestEffort.count(2, more: 7)) {
        let commits = 1 + writes.random.next(3)
        for _ in 0..<commits {
          let steps = writes.random.next(12) == 0 ? 60 : 1 + writes.random.next(5)
          try repository.write { tx in
            if writes.random.next(150) == 0 { try tx.deleteAll(TrackedDog.self) }
            for _ in 0..<steps { try writes.step(tx) }
          }
          if writes.random.next(2) == 0 { try repository.delivered() }
        }
        try repository.delivered()
        let world = try PlainWorld(repository)
        let comment: Comment = "seed \(seed), round \(round)"
        for (question, listener) in plain {
          let expected = question.answer(world).map { "\($0.id) " + $0.text }
          #expect(listener.wrong == [], comment)
          #expect(listener.rows == expected, "\(comment), \(question.name)")
        }
        for (question, listener, value) in watched {
          let expected = question.answer(world).map { dog in
            "\(dog.id) " + (repository.dog(dog.id).map(value) ?? "gone")
          }
          #expect(listener.wrong == [], comment)
          #expect(listener.rows == expected, "\(comment), \(listener.name)")
        }
        if (plain.map(\.1) + watched.map(\.1)).contains(where: { !$0.wrong.isEmpty }) { break }
      }
      withExtendedLifetime(tokens) {}
    }
  }
  /// The rows behind those that are wanted are kept too, and not beyond where they are known.
  @Test(arguments: [false, true]) func aLimitHoldsWhereTheLastKnownRowGoesFarther(inMemory: Bool) throws {
    try TrackedRepository.with(inMemory: inMemory) { repository in
      try repository.write { tx in
        for id in 0..<60 { try tx.create(TrackedDog.self, value: ["id": id, "rank": id]) }
      }
      let listener = TrackedListener("limit")
      let token = repository.dogs.sorted(byKeyPath: "rank").limit(2).observe { change in
        listener.note(change) { Self.rows($0) { "\($0.id)" } }
      }
      try repository.delivered()
      for last in 10..<30 {
        try repository.write { try $0.object(ofType: TrackedDog.self, forPrimaryKey: last)?.rank += 1_000 }
        try repository.delivered()
      }
      for first in 0..<10 {
        #expect(listener.rows == ["\(first)", first == 9 ? "30" : "\(first + 1)"] && listener.wrong == [])
        try repository.write { tx in
          try tx.delete(try #require(try tx.object(ofType: TrackedDog.self, forPrimaryKey: first)))
        }
        try repository.delivered()
      }
      withExtendedLifetime(token) {}
    }
  }
}

extension PlainWorld {
  /// Dogs in an order; those that are equal in it by their keys.
  func sorted(_ isRow: (PlainDog) -> Bool, by isBefore: (PlainDog, PlainDog) -> Bool?) -> [PlainDog] {
    dogs.values.filter(isRow).sorted { isBefore($0, $1) ?? ($0.id < $1.id) }
  }
}
