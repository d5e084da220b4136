import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Paging: places in an order, before and behind which results begin and end.
@Suite(.timeLimit(.minutes(20))) struct QueryCursorTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func filled(_ inMemory: Bool, _ values: [PlayerValues]) throws -> ResultsRepository {
    let repository = inMemory ? ResultsRepository() : ResultsRepository.onDisk(directory)
    try repository.fill(values)
    return repository
  }

  /// Orders with many ties, with and without an index, and those of the keys.
  private static let orders: [[PropertyOrder]] = [
    [], [PropertyOrder(keyPath: "id", ascending: false)],
    [PropertyOrder(keyPath: "score")], [PropertyOrder(keyPath: "score", ascending: false)],
    [PropertyOrder(keyPath: "city")], [PropertyOrder(keyPath: "city", ascending: false)],
    [PropertyOrder(keyPath: "city", nils: .last)], [PropertyOrder(keyPath: "rating", nils: .last)],
    [PropertyOrder(keyPath: "rating", ascending: false)],
    [PropertyOrder(keyPath: "score", ascending: false), PropertyOrder(keyPath: "name")],
    [PropertyOrder(keyPath: "team.name"), PropertyOrder(keyPath: "fee", ascending: false)],
    [PropertyOrder(keyPath: "name", collation: .caseInsensitive)],
    [PropertyOrder(keyPath: "name", collation: .locale("de_DE")), PropertyOrder(keyPath: "joined")],
  ]

  @Test(arguments: [true, false]) func allPagesTogetherHaveEachObjectOnce(inMemory: Bool) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let repository = try filled(inMemory, PlayerValues.random(130, &random))
    defer { repository.closeChecked() }
    // The short form has every other order in memory, and the other ones on disk.
    for (number, order) in Self.orders.enumerated()
    where TestEffort.isLong || number.isMultiple(of: 2) == inMemory {
      let comment = "order \(number), seed \(seed)"
      try repository.inEachScope { players in
        var results = players.sorted(by: order)
        if Bool.random(using: &random) { results = results.where { $0.score > 0 } }
        if number % 3 == 0, Bool.random(using: &random) { results = results.distinct(by: [\.fee]) }
        let expected = try results.all().map(\.id)
        #expect(try pages(results, forward: true, &random) == expected, "\(comment)")
        #expect(try pages(results, forward: false, &random) == expected, "\(comment)")
        // Each kind of bound at a random place.
        guard let place = expected.indices.randomElement(using: &random), let object = results[place] else {
          return
        }
        let cursor = try results.cursor(for: object)
        #expect(results.start(after: cursor).map(\.id) == Array(expected[(place + 1)...]), "\(comment)")
        #expect(results.start(at: cursor).map(\.id) == Array(expected[place...]), "\(comment)")
        #expect(results.end(before: cursor).map(\.id) == Array(expected[..<place]), "\(comment)")
        #expect(results.end(at: cursor).map(\.id) == Array(expected[...place]), "\(comment)")
        #expect(results.start(at: cursor).end(at: cursor).count == 1, "\(comment)")
        #expect(results.start(after: cursor).end(before: cursor).isEmpty, "\(comment)")
        #expect(
          results.end(before: cursor).limit(toLast: 5).map(\.id) == Array(expected[..<place].suffix(5)),
          "\(comment)"
        )
        #expect(results.index(of: object) == place, "\(comment)")
      }
    }
  }

  /// The ids of all pages, in their order, with page sizes at random.
  private func pages(_ results: Results<ResultsPlayer>, forward: Bool, _ random: inout SeededGenerator) throws
    -> [Int]
  {
    var ids: [Int] = []
    var cursor: QueryCursor?
    while true {
      let size = Int.random(in: 1...40, using: &random)
      let page = forward ? try results.page(size, after: cursor) : try results.page(size, before: cursor)
      #expect(page.objects.count == size || !page.hasMore)
      let found = page.objects.map(\.id)
      ids = forward ? ids + found : found + ids
      // Over text, as a client hands it back.
      cursor = try (forward ? page.end : page.start).map { try QueryCursor(text: $0.text) }
      if !page.hasMore { return ids }
    }
  }

  @Test(arguments: [true, false]) func theTableOfTheFeatureList(inMemory: Bool) throws {
    let repository = try filled(inMemory, (1...100).map { PlayerValues(id: $0, score: ($0 - 1) / 7) })
    defer { repository.closeChecked() }
    let players = repository.players.sorted(byKeyPath: \.score)
    let last = players.limit(toLast: 20)
    #expect(last.map(\.id) == Array(81...100))
    let cursor = try players.cursor(for: try #require(last.first))
    #expect(players.end(before: cursor).limit(toLast: 20).map(\.id) == Array(61...80))
    #expect(players.start(after: cursor).limit(5).map(\.id) == Array(82...86))
    #expect(players.start(at: cursor).limit(5).map(\.id) == Array(81...85))
    #expect(players.end(at: cursor).limit(toLast: 5).map(\.id) == Array(77...81))
  }

  @Test func pastTheEndIsAnEmptyPageThatReadNothing() throws {
    let repository = try filled(true, (1...50).map { PlayerValues(id: $0, score: $0) })
    defer { repository.closeChecked() }
    for order in [[], [PropertyOrder(keyPath: "score")], [PropertyOrder(keyPath: "id", ascending: false)]] {
      let players = repository.players.sorted(by: order)
      let cursor = try players.page(50).end
      let before = try repository.matchedRows
      let page = try players.page(10, after: cursor)
      #expect(page.objects.isEmpty && page.start == nil && page.end == nil && !page.hasMore)
      #expect(try repository.matchedRows == before, "\(order)")
      let first = try players.page(10).start
      let known = try repository.matchedRows
      #expect(try players.page(10, before: first).objects.isEmpty)
      #expect(try repository.matchedRows == known, "\(order)")
      #expect(try players.page(10, after: cursor).objects.isEmpty)
    }
    // Numbers of any size are fine.
    for order in [[], [PropertyOrder(keyPath: "score")], [PropertyOrder(keyPath: "rating")]] {
      let players = repository.players.sorted(by: order)
      for (offset, limit) in [
        (30, 1), (30, .max), (49, .max - 1), (50, 20), (.max, 1), (.max, 20), (.max, .max),
      ] {
        let expected = Array(Array(1...50).dropFirst(offset))
        let first = players.offset(offset).limit(limit)
        let last = players.offset(offset).limit(toLast: limit)
        let comment = "\(order) offset \(offset) limit \(limit)"
        #expect(first.map(\.id) == Array(expected.prefix(limit)), "\(comment)")
        #expect(last.map(\.id) == Array(expected.suffix(limit)), "\(comment)")
        #expect(first.count == min(limit, expected.count), "\(comment)")
        #expect(last.last?.id == expected.last, "\(comment)")
        #expect(first[.max] == nil && last[.max] == nil, "\(comment)")
      }
      let sizes = try [players.page(.max).objects.count, players.page(.min).objects.count]
      #expect(sizes == [50, 1])
    }
    #expect(repository.players.limit(0).map(\.id) == [] && repository.players.limit(toLast: 0).isEmpty)
  }

  @Test func aPageOfAnIndexReadsNoMoreThanItself() throws {
    let repository = try filled(true, (1...500).map { PlayerValues(id: $0, score: $0 / 3) })
    defer { repository.closeChecked() }
    let players = repository.players.sorted(byKeyPath: \.score)
    let cursor = try players.cursor(for: try #require(players[250]))
    let before = try repository.matchedRows
    let page = try players.page(20, after: cursor)
    #expect(page.objects.map(\.id) == Array(252...271) && page.hasMore)
    #expect(try repository.matchedRows - before <= 21)
  }

  @Test func aPlaceStaysWhenItsObjectIsChangedOrDeleted() throws {
    let repository = try filled(true, (1...30).map { PlayerValues(id: $0, score: $0 / 4) })
    defer { repository.closeChecked() }
    let players = repository.players.sorted(byKeyPath: \.score)
    let page = try players.page(10)
    let end = try #require(page.end)
    let expected = try players.page(10, after: end).objects.map(\.id)
    try repository.write { transaction in
      let last = try transaction.object(ofType: ResultsPlayer.self, forPrimaryKey: page.objects[9].id)
      last?.score = 1000
    }
    #expect(try players.page(10, after: end).objects.map(\.id) == expected)
    try repository.write { transaction in
      let last = try transaction.object(ofType: ResultsPlayer.self, forPrimaryKey: page.objects[9].id)
      try last.map { try transaction.delete($0) }
    }
    #expect(try players.page(10, after: end).objects.map(\.id) == expected)
  }

  @Test func valuesNamePlacesToo() throws {
    let values = (0..<60).map { PlayerValues(id: $0, name: "\($0 % 4)", score: $0 / 6) }
    let repository = try filled(true, values)
    defer { repository.closeChecked() }
    let players = repository.players.sorted(by: [
      PropertyOrder(keyPath: "score", ascending: false), PropertyOrder(keyPath: "name"),
    ])
    let sorted = values.sorted { ($1.score, $0.name, $0.id) < ($0.score, $1.name, $1.id) }
    #expect(players.start(at: [5]).map(\.id) == sorted.filter { $0.score <= 5 }.map(\.id))
    #expect(players.start(after: [5]).map(\.id) == sorted.filter { $0.score < 5 }.map(\.id))
    #expect(players.end(at: [5]).map(\.id) == sorted.filter { $0.score >= 5 }.map(\.id))
    #expect(players.end(before: [5]).map(\.id) == sorted.filter { $0.score > 5 }.map(\.id))
    let inside = sorted.filter { $0.score < 5 || ($0.score == 5 && $0.name > "1") }.map(\.id)
    #expect(players.start(after: [5, "1"]).map(\.id) == inside)
    for wrong: [Any?] in [[5, "1", 3], ["x"], [5.5], [Date()], [5, 5]] {
      #expect(
        (failure { try players.start(at: wrong).all() } as? FiefError)?.code == .invalidQuery,
        "\(wrong)"
      )
    }
  }

  @Test func cursorsOfOtherQueriesAreRefused() throws {
    var random = SeededGenerator(seed: 3)
    let values = PlayerValues.random(40, &random)
    let repository = try filled(true, values)
    let other = ResultsRepository()
    try other.fill(values)
    defer {
      repository.closeChecked()
      other.closeChecked()
    }
    let players = repository.players.sorted(byKeyPath: \.score).where { $0.score > 0 }
    let cursor = try #require(try players.page(3).end)
    #expect(try players.limit(3).offset(1).start(after: cursor).all().count <= 3)
    let teams = repository.store().objects(ResultsTeam.self)
    let foreign: [Results<ResultsPlayer>] = [
      repository.players.sorted(byKeyPath: \.score), players.where { $0.score > 1 },
      players.sorted(byKeyPath: \.score, ascending: false), players.sorted(byKeyPath: \.name),
      players.sorted(by: [PropertyOrder(keyPath: "score", nils: .last)]),
      players.distinct(by: \.name), other.players.sorted(byKeyPath: \.score).where { $0.score > 0 },
    ]
    for (number, results) in foreign.enumerated() {
      for bound in [
        results.start(after: cursor), results.start(at: cursor), results.end(before: cursor),
        results.end(at: cursor),
      ] {
        let error = failure { try bound.all() } as? FiefError
        #expect(error?.code == .invalidCursor && error?.type == "ResultsPlayer", "\(number)")
        #expect(bound.map(\.id) == [] && bound.count == 0, "\(number)")
      }
      #expect((failure { try results.page(3, after: cursor) } as? FiefError)?.code == .invalidCursor)
    }
    #expect((failure { try teams.page(1, after: cursor) } as? FiefError)?.code == .invalidCursor)
    #expect((failure { try players.cursor(for: ResultsPlayer()) } as? FiefError) == nil)
  }

  @Test func theTextOfACursorIsShortAndDamageIsSeen() throws {
    let repository = try filled(true, [PlayerValues(id: 1, name: "Ünal", score: 2), PlayerValues(id: 2)])
    defer { repository.closeChecked() }
    let players = repository.players.sorted(by: [
      PropertyOrder(keyPath: "name"), PropertyOrder(keyPath: "rating"), PropertyOrder(keyPath: "joined"),
      PropertyOrder(keyPath: "fee"),
    ])
    let cursor = try #require(try players.page(2).end)
    let text = cursor.text
    #expect(text.utf8.count < 80 && text.utf8.allSatisfy { $0 > 0x2C && $0 < 0x7B })
    #expect(try QueryCursor(text: text) == cursor && "\(cursor)" == text)
    let json = try JSONEncoder().encode(["next": cursor])
    #expect(String(decoding: json, as: UTF8.self) == "{\"next\":\"\(text)\"}")
    #expect(try JSONDecoder().decode([String: QueryCursor].self, from: json)["next"] == cursor)
    var damaged = ["", "a", "!", text + "A", text + "=", String(text.dropLast()), "\(text)\n"]
    for place in text.indices {
      for letter in "AB_z" where letter != text[place] {
        var other = text
        other.replaceSubrange(place...place, with: "\(letter)")
        damaged.append(other)
      }
    }
    for text in damaged {
      #expect((failure { try QueryCursor(text: text) } as? FiefError)?.code == .invalidCursor, "\(text)")
    }
  }
}
