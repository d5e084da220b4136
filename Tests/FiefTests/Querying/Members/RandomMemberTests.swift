import Fief
import FiefStress
import Foundation
import TestEffort
import Testing

/// Random questions about lists, sets and maps, compared with Swift's own filter and sort of arrays.
@Suite(.timeLimit(.minutes(20)))
struct RandomMemberTests {
  /// A condition in both forms.
  private struct Condition {
    let query: (Query<MemberDog>) -> Query<Bool>
    let plain: (MemberDog) -> Bool
  }

  private struct Question {
    var conditions: [Condition] = []
    var orders: [(name: String, ascending: Bool)] = []
    var distinct: [String] = []
    var offset = 0
    var first: Int?
    var last: Int?
  }

  /// The short form has each place once with a small and once with a large list.
  static let cases: [(run: Int, place: MemberStore)] =
    TestEffort.isLong
    ? (0..<4).flatMap { run in MemberStore.allCases.map { (run, $0) } }
    : [(0, .disk), (0, .memory), (1, .encrypted), (1, .memory), (2, .disk), (3, .encrypted)]

  @Test(arguments: cases)
  func everyQuestionHasTheAnswerOfAnArray(run: Int, place: MemberStore) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let dogs = 40 + random.next(400)
    // The list is in the record, at the limit, or in trees of several levels.
    let size = [20, 600, 1_100, TestEffort.count(1_500, more: 1_800)][run]
    try MemberRepository.with(place) { repository in
      defer { repository.closeChecked() }
      try repository.fill(dogs: dogs, elements: (0..<size).map { _ in random.next(dogs) })
      for round in 0..<TestEffort.count(1, more: 2) {
        let comment = "seed \(seed), round \(round)"
        try repository.inEachScope { owner in
          try Self.compare(owner, &random, comment)
        }
        try repository.write { tx in
          let owner = try repository.owner(in: tx)
          try Self.change(owner, tx, &random, dogs)
          try Self.compare(owner, &random, comment + ", changed")
        }
      }
    }
  }

  private static func change(
    _ owner: MemberOwner,
    _ tx: WriteTransaction,
    _ random: inout StressRandom,
    _ dogs: Int
  ) throws {
    for _ in 0..<20 {
      let dog = try tx.object(ofType: MemberDog.self, forPrimaryKey: random.next(dogs))
      switch random.next(7) {
      case 0:
        dog?.city = ["Ulm", nil, "Rom"][random.next(3)]
        dog?.rank = random.next(15)
      case 1: if let dog { owner.dogs.insert(dog, at: random.next(owner.dogs.count + 1)) }
      case 2: owner.dogs.remove(at: random.next(max(owner.dogs.count, 1)))
      case 3: if let dog, random.next(3) == 0 { try tx.delete(dog) }
      case 4: if let dog { owner.pack.remove(dog) }
      case 5: owner.roles["role \(random.next(30))"] = .some(dog)
      default: if owner.dogs.count > 1 { owner.dogs.move(from: random.next(owner.dogs.count), to: 0) }
      }
    }
  }

  private static func compare(_ owner: MemberOwner, _ random: inout StressRandom, _ comment: String) throws {
    for _ in 0..<6 {
      switch random.next(4) {
      case 0: try check(owner.pack.results, owner.pack.sorted { $0.id < $1.id }, &random, comment + ", set")
      case 1: try check(owner.roles.results, owner.roles.compactMap(\.value), &random, comment + ", map")
      default: try check(owner.dogs.results, Array(owner.dogs), &random, comment + ", list")
      }
    }
  }

  private static func check(
    _ all: Results<MemberDog>,
    _ dogs: [MemberDog],
    _ random: inout StressRandom,
    _ comment: String
  ) throws {
    let question = question(&random)
    let (results, expected) = answers(question, all, dogs)
    let ids = expected.map(\.id)
    let comment = Comment(rawValue: "\(comment), \(question)")
    #expect(results.map(\.id) == ids, comment)
    #expect(try results.all().map(\.id) == ids, comment)
    #expect(try results.fetchCount() == ids.count, comment)
    #expect(try results.fetchFirst()?.id == ids.first && results.fetchLast()?.id == ids.last, comment)
    #expect(try results.fetchExists() == !ids.isEmpty, comment)
    let index = random.next(max(ids.count, 1) + 1)
    #expect(results[index]?.id == (index < ids.count ? ids[index] : nil), comment)
    #expect(try results.fetchSum(of: \.age) == expected.reduce(0) { $0 + $1.age }, comment)
    #expect(try results.fetchMin(of: \.weight) == expected.compactMap(\.weight).min(), comment)
    #expect(try results.fetchMax(of: \.rank) == expected.map(\.rank).max(), comment)
    if let dog = expected.last {
      #expect(results.index(of: dog) == ids.firstIndex(of: dog.id) && results.contains(dog), comment)
    }
    _ = try results.explain()
    guard question.first == nil, question.last == nil, question.offset == 0 else { return }
    var paged: [Int] = []
    let size = max(ids.count / 4, 1)
    var page = try results.page(size)
    paged += page.objects.map(\.id)
    while page.hasMore, paged.count <= ids.count {
      page = try results.page(size, after: page.end)
      paged += page.objects.map(\.id)
    }
    #expect(paged == ids, comment)
  }

  private static func question(_ random: inout StressRandom) -> Question {
    var question = Question()
    for _ in 0..<random.next(3) {
      let number = random.next(13)
      let conditions = [
        Condition(query: { $0.age > number }, plain: { $0.age > number }),
        Condition(query: { $0.rank == number }, plain: { $0.rank == number }),
        Condition(query: { $0.rank <= number }, plain: { $0.rank <= number }),
        Condition(query: { $0.city == "Ulm" }, plain: { $0.city == "Ulm" }),
        Condition(
          query: { $0.city == "Rom" || $0.rank == number },
          plain: { $0.city == "Rom" || $0.rank == number }
        ),
        Condition(query: { $0.city == nil }, plain: { $0.city == nil }),
        Condition(query: { $0.name.ends(with: "3") }, plain: { $0.name.hasSuffix("3") }),
        Condition(query: { $0.id < number * 4 }, plain: { $0.id < number * 4 }),
        Condition(query: { $0.mother.age > number }, plain: { ($0.mother?.age ?? -1) > number }),
      ]
      question.conditions.append(conditions[random.next(conditions.count)])
    }
    for name in ["rank", "name", "age", "city"] where random.next(6) == 0 {
      question.orders.append((name, random.next(2) == 0))
    }
    if random.next(6) == 0 { question.distinct = [["rank"], ["city", "age"]][random.next(2)] }
    if random.next(4) == 0 { question.offset = random.next(6) }
    switch random.next(5) {
    case 0: question.first = random.next(30)
    case 1: question.last = random.next(30)
    default: break
    }
    return question
  }

  /// The results of a question, and what an array says.
  private static func answers(_ question: Question, _ all: Results<MemberDog>, _ dogs: [MemberDog])
    -> (Results<MemberDog>, [MemberDog])
  {
    var results = all
    var expected = dogs
    for condition in question.conditions {
      results = results.where(condition.query)
      expected = expected.filter(condition.plain)
    }
    if !question.orders.isEmpty {
      results = results.sorted(
        by: question.orders.map { PropertyOrder(keyPath: $0.name, ascending: $0.ascending) }
      )
      expected = expected.enumerated().sorted { first, second in
        for (name, ascending) in question.orders {
          let (a, b) = (value(name, first.element), value(name, second.element))
          if a != b { return (a < b) == ascending }
        }
        // Equal ones stay in their order.
        return first.offset < second.offset
      }.map(\.element)
    }
    if !question.distinct.isEmpty {
      results = results.distinct(by: question.distinct)
      var seen: Set<[String]> = []
      expected = expected.filter { dog in seen.insert(question.distinct.map { value($0, dog) }).inserted }
    }
    if question.offset > 0 {
      results = results.offset(question.offset)
      expected = Array(expected.dropFirst(question.offset))
    }
    if let first = question.first {
      results = results.limit(first)
      expected = Array(expected.prefix(first))
    }
    if let last = question.last {
      results = results.limit(toLast: last)
      expected = Array(expected.suffix(last))
    }
    return (results, expected)
  }

  /// A value as text in the order of the value: nil first.
  private static func value(_ name: String, _ dog: MemberDog) -> String {
    switch name {
    case "rank": "1" + String(1_000 + dog.rank)
    case "age": "1" + String(1_000 + dog.age)
    case "city": dog.city.map { "1" + $0 } ?? "0"
    default: "1" + dog.name
    }
  }
}
