import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// The order of results, and what stays of equal ones, compared with arrays.
struct ResultsOrderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func filled(_ inMemory: Bool, _ values: [PlayerValues]) throws -> ResultsRepository {
    let repository = inMemory ? ResultsRepository() : ResultsRepository.onDisk(directory)
    try repository.fill(values)
    return repository
  }

  /// The order of two texts: nil smallest, then by the bytes; -1, 0 or 1.
  private static func order(_ first: String?, _ second: String?) -> Int {
    switch (first, second) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let first?, let second?):
      first.utf8.lexicographicallyPrecedes(second.utf8)
        ? -1 : second.utf8.lexicographicallyPrecedes(first.utf8) ? 1 : 0
    }
  }

  private static func order<Value: Comparable>(_ first: Value?, _ second: Value?) -> Int {
    switch (first, second) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let first?, let second?): first < second ? -1 : first > second ? 1 : 0
    }
  }

  private static let orders: [(keyPath: String, compare: @Sendable (PlayerValues, PlayerValues) -> Int)] = [
    ("id", { order($0.id, $1.id) }),
    ("name", { order($0.name, $1.name) }),
    ("score", { order($0.score, $1.score) }),
    ("rating", { order($0.rating, $1.rating) }),
    ("city", { order($0.city, $1.city) }),
    ("level", { order($0.level.rawValue, $1.level.rawValue) }),
    ("team.name", { order($0.team, $1.team) }),
    ("team.rank", { order($0.rank, $1.rank) }),
    ("joined", { order($0.joined, $1.joined) }),
    ("fee", { order($0.fee, $1.fee) }),
  ]

  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func anyOrderIsThatOfAStableSort(inMemory: Bool) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let values = PlayerValues.random(150, &random)
    let repository = try filled(inMemory, values)
    defer { repository.closeChecked() }
    for _ in 0..<TestEffort.count(20, more: 40) {
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (
          Self.orders.randomElement(using: &random)!, Bool.random(using: &random),
          Int.random(in: 0..<3, using: &random)
        )
      }
      let order = parts.map { part, ascending, nils in
        PropertyOrder(keyPath: part.keyPath, ascending: ascending, nils: [.smallest, .first, .last][nils])
      }
      let expected = values.sorted { first, second in
        for (part, ascending, nils) in parts {
          let result = part.compare(first, second)
          if result == 0 { continue }
          // Only one of them is nil where nil has a place of its own.
          let hasNil = Self.isNil(first, part.keyPath) || Self.isNil(second, part.keyPath)
          if hasNil, nils == 1 { return result < 0 }
          if hasNil, nils == 2 { return result > 0 }
          return (result < 0) == ascending
        }
        return first.id < second.id
      }.map(\.id)
      let limit = Int.random(in: 0..<170, using: &random)
      let offset = Bool.random(using: &random) ? 0 : Int.random(in: 0..<170, using: &random)
      let comment = "\(order) limit \(limit) offset \(offset), seed \(seed)"
      try repository.inEachScope { players in
        let sorted = players.sorted(by: order)
        #expect(sorted.map(\.id) == expected, "\(comment)")
        let rest = Array(expected.dropFirst(offset))
        #expect(sorted.limit(limit).offset(offset).map(\.id) == Array(rest.prefix(limit)), "\(comment)")
        #expect(
          sorted.limit(toLast: limit).offset(offset).map(\.id) == Array(rest.suffix(limit)),
          "\(comment)"
        )
        #expect(sorted.offset(offset).limit(limit).count == min(rest.count, limit), "\(comment)")
        #expect(sorted.offset(offset).isEmpty == rest.isEmpty, "\(comment)")
        #expect(sorted.offset(offset).first?.id == rest.first, "\(comment)")
        #expect(sorted.offset(offset).last?.id == rest.last, "\(comment)")
        #expect(
          sorted.offset(offset)[limit]?.id == (rest.indices.contains(limit) ? rest[limit] : nil),
          "\(comment)"
        )
      }
    }
  }

  private static func isNil(_ values: PlayerValues, _ keyPath: String) -> Bool {
    switch keyPath {
    case "rating": values.rating == nil
    case "city": values.city == nil
    case "team.name", "team.rank": values.team == nil
    default: false
    }
  }

  @Test(.timeLimit(.minutes(20)), arguments: [true, false])
  func ofEqualOnesTheFirstStays(inMemory: Bool) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let values = PlayerValues.random(120, &random)
    let repository = try filled(inMemory, values)
    defer { repository.closeChecked() }
    for ascending in [true, false] {
      let sorted = values.sorted { ascending ? $0.score < $1.score : $0.score > $1.score }
      var seen: Set<[String?]> = []
      let expected = sorted.filter { seen.insert([$0.city, $0.team]).inserted }.map(\.id)
      try repository.inEachScope { players in
        let results = players.sorted(byKeyPath: \.score, ascending: ascending)
        let distinct = results.distinct(by: ["city", "team.name"])
        #expect(distinct.map(\.id) == expected, "seed \(seed)")
        #expect(distinct.count == expected.count, "seed \(seed)")
        #expect(distinct.limit(3).map(\.id) == Array(expected.prefix(3)), "seed \(seed)")
        #expect(distinct.limit(toLast: 3).map(\.id) == expected.suffix(3), "seed \(seed)")
        #expect(distinct.offset(2).first?.id == expected.dropFirst(2).first, "seed \(seed)")
        #expect(results.distinct(by: \.city).count == Set(values.map(\.city)).count, "seed \(seed)")
      }
      let links = Set(values.map(\.team))
      #expect(repository.players.distinct(by: [\.team]).count == links.count, "seed \(seed)")
    }
  }

  @Test func languagesAndCaseOrderTextsWhereAsked() throws {
    let names = ["zoé", "Ärger", "apfel", "Zebra", "äpfel", "b", "A"]
    let repository = try filled(true, names.enumerated().map { PlayerValues(id: $0, name: $1) })
    defer { repository.closeChecked() }
    let players = repository.players
    #expect(
      players.sorted(byKeyPath: \.name).map(\.name) == ["A", "Zebra", "apfel", "b", "zoé", "Ärger", "äpfel"]
    )
    func sorted(_ collation: PropertyOrder.Collation, ascending: Bool = true) -> [String] {
      players.sorted(by: [PropertyOrder(keyPath: "name", ascending: ascending, collation: collation)])
        .map(\.name)
    }
    #expect(sorted(.caseInsensitive) == ["A", "apfel", "b", "Zebra", "zoé", "äpfel", "Ärger"])
    // German: ä is with a, Swedish: behind z.
    let german = sorted(.locale("de_DE"))
    #expect(german == ["A", "apfel", "äpfel", "Ärger", "b", "Zebra", "zoé"])
    #expect(sorted(.locale("de_DE"), ascending: false) == german.reversed())
    #expect(sorted(.locale("sv_SE")).suffix(2) == ["äpfel", "Ärger"])
    let limited = players.sorted(by: [PropertyOrder(keyPath: "name", collation: .locale("de_DE"))]).limit(3)
    #expect(limited.map(\.name) == Array(german.prefix(3)))
  }

  @Test func sortDescriptorsOfFoundationAreOrders() throws {
    var random = SeededGenerator(seed: 7)
    let values = PlayerValues.random(60, &random)
    let repository = try filled(true, values)
    defer { repository.closeChecked() }
    let expected = values.sorted { ($1.joined, $0.score) < ($0.joined, $1.score) }.map(\.id)
    let descriptors = [
      SortDescriptor(\ResultsPlayer.joined, order: .reverse), SortDescriptor(\ResultsPlayer.score),
    ]
    #expect(repository.players.sorted(by: descriptors).map(\.id) == expected)
    let byName = values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.id)
    #expect(repository.players.sorted(by: SortDescriptor(\.name, comparator: .lexical)).map(\.id) == byName)
  }

  @Test func whatHasNoOrderIsAnErrorBeforeAnythingIsRead() throws {
    let repository = try filled(true, [PlayerValues(id: 1), PlayerValues(id: 2)])
    defer { repository.closeChecked() }
    let before = try repository.matchedRows
    for keyPath in ["team", "tags", "nothing", "team.nothing", "name.length", ""] {
      let results = repository.players.sorted(byKeyPath: keyPath)
      let error = failure { try results.all() } as? FiefError
      #expect(
        [.invalidQuery, .unknownProperty].contains(error?.code),
        "\(keyPath): \(String(describing: error))"
      )
      #expect(error?.store == "players" && error?.type != nil, "\(keyPath)")
      #expect(results.count == 2 || error != nil, "\(keyPath)")
    }
    for results in [
      repository.players.distinct(by: ["tags"]), repository.players.sorted(byKeyPath: \.tags),
      repository.players.sortedByRelevance(),
    ] {
      #expect((failure { try results.all() } as? FiefError)?.code == .invalidQuery)
      #expect(results.map(\.id) == [])
    }
    #expect(try repository.matchedRows == before)
  }

  @Test(arguments: [true, false]) func sortsThatDoNotFitIntoMemoryGoToAFile(isLimited: Bool) throws {
    var random = SeededGenerator(seed: 11)
    let values = PlayerValues.random(TestEffort.count(1_800, more: 3_000), &random)
    var small = ResultsRepository()
    small.storeOptions.maximumSortBytes = 1 << 12
    let repository = small
    try repository.fill(values)
    defer { repository.closeChecked() }
    var expected = values.sorted { Self.order($0.city, $1.city) < 0 }.map(\.id)
    var reversed = values.sorted { Self.order($0.city, $1.city) > 0 }.map(\.id)
    if isLimited {
      expected = Array(expected.prefix(1500))
      reversed = Array(reversed.suffix(700))
    }
    try repository.inEachScope { players in
      let sorted = players.sorted(byKeyPath: \.city)
      #expect((isLimited ? sorted.limit(1500) : sorted).map(\.id) == expected)
    }
    let descending = repository.players.sorted(byKeyPath: \.city, ascending: false)
    #expect(try (isLimited ? descending.limit(toLast: 700) : descending).all().map(\.id) == reversed)
    let distinct = repository.players.sorted(byKeyPath: \.joined).distinct(by: [\.score, \.name])
    let pairs = Set(values.map { [$0.name, "\($0.score)"] })
    #expect(distinct.count == pairs.count && distinct.map(\.id).count == pairs.count)
  }
}

extension ResultsRepository {
  /// The number of records that queries have read.
  var matchedRows: UInt64 {
    get throws { try store().core().counters.current.matchedRows }
  }
}
