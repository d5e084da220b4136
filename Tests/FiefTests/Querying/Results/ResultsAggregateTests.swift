import Fief
import Foundation
import Testing

@testable import FiefCore

/// Sums, extremes, groups, sections and selections, compared with arrays; none of them makes an object.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ResultsAggregateTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func filled(_ inMemory: Bool, _ values: [PlayerValues]) throws -> ResultsRepository {
    let repository = inMemory ? ResultsRepository() : ResultsRepository.onDisk(directory)
    try repository.fill(values)
    return repository
  }

  @Test(arguments: [true, false]) func aggregatesAreThoseOfAnArray(inMemory: Bool) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let values = PlayerValues.random(90, &random)
    let repository = try filled(inMemory, values)
    defer { repository.closeChecked() }
    for least in [-10, 0, 5, 100] {
      let some = values.filter { $0.score >= least }
      let comment = "least \(least), seed \(seed)"
      try repository.inEachScope { players in
        let results = players.where { $0.score >= least }
        #expect(results.sum(of: \.score) == some.reduce(0) { $0 + $1.score }, "\(comment)")
        #expect(results.sum(of: \.rating) == some.reduce(0) { $0 + ($1.rating ?? 0) }, "\(comment)")
        #expect(results.sum(of: \.fee) == some.reduce(0) { $0 + $1.fee }, "\(comment)")
        #expect(results.sum(ofProperty: "team.rank") == some.reduce(0) { $0 + ($1.rank ?? 0) }, "\(comment)")
        #expect(results.min(of: \.score) == some.map(\.score).min(), "\(comment)")
        #expect(results.max(of: \.score) == some.map(\.score).max(), "\(comment)")
        #expect(results.min(of: \.rating) == some.compactMap(\.rating).min(), "\(comment)")
        #expect(results.max(of: \.rating) == some.compactMap(\.rating).max(), "\(comment)")
        #expect(results.min(of: \.fee) == some.map(\.fee).min(), "\(comment)")
        #expect(results.max(of: \.joined) == some.map(\.joined).max(), "\(comment)")
        #expect(results.max(of: \.level)?.rawValue == some.map(\.level.rawValue).max(), "\(comment)")
        #expect(results.min(of: \.id) == some.map(\.id).min(), "\(comment)")
        let city: String? = results.max(ofProperty: "city")
        #expect(
          city == some.compactMap(\.city).max { $0.utf8.lexicographicallyPrecedes($1.utf8) },
          "\(comment)"
        )
        let scores = some.map { Double($0.score) }
        let mean = scores.isEmpty ? nil : scores.reduce(0, +) / Double(scores.count)
        #expect(results.average(of: \.score) == mean, "\(comment)")
        let ratings = some.compactMap(\.rating)
        let average: Double? = ratings.isEmpty ? nil : ratings.reduce(0, +) / Double(ratings.count)
        #expect(results.average(of: \.rating) == average, "\(comment)")
        let sorted: [PlayerValues] = some.sorted { ($1.score, $0.id) < ($0.score, $1.id) }
        let top = Array(sorted.prefix(7))
        let limited = results.sorted(byKeyPath: \.score, ascending: false).limit(7)
        #expect(limited.sum(of: \.id) == top.reduce(0) { $0 + $1.id }, "\(comment)")
        #expect(limited.min(of: \.score) == top.map(\.score).min(), "\(comment)")
        let highest: Double? = top.compactMap(\.rating).max()
        #expect(limited.max(of: \.rating) == highest, "\(comment)")
      }
    }
  }

  @Test func whatDoesNotFitIsAnError() throws {
    let repository = try filled(true, [PlayerValues(id: 1, score: .max), PlayerValues(id: 2, score: 1)])
    defer { repository.closeChecked() }
    let players = repository.players
    let error = failure { try players.fetchSum(of: \.score) } as? FiefError
    #expect(error?.code == .invalidValue && error?.property == "score" && error?.store == "players")
    #expect(players.sum(of: \.score) == 0)
    #expect(players.average(of: \.score) == (Double(Int.max) + 1) / 2)
    // The order does not matter: a sum that overflows in between and comes back is right.
    try repository.write { try $0.add(PlayerValues(id: 3, score: -2).player([])) }
    #expect(try players.fetchSum(of: \.score) == .max - 1)
    let wrong: [() throws -> Any?] = [
      { try players.fetchSum(ofProperty: "name") as Int }, { try players.fetchAverage(ofProperty: "city") },
      { try players.fetchMin(ofProperty: "team") as Int? },
      { try players.fetchMax(ofProperty: "score") as String? },
      { try players.fetchSum(ofProperty: "none") as Int },
      { try players.fetchSum(ofProperty: "rating") as Int },
    ]
    for (number, body) in wrong.enumerated() {
      let error = failure(body) as? FiefError
      #expect(
        [.invalidQuery, .unknownProperty, .invalidValue].contains(error?.code),
        "\(number): \(String(describing: error))"
      )
    }
    #expect(players.where { $0.id > 100 }.max(of: \.score) == nil)
    #expect(players.where { $0.id > 100 }.sum(of: \.rating) == 0)
  }

  @Test func notANumberIsNoExtreme() throws {
    let ratings: [Double?] = [nil, .nan, 2, -0.0, -.infinity, .nan, 0]
    let values = ratings.enumerated().map { PlayerValues(id: $0, rating: $1) }
    let repository = try filled(true, values)
    defer { repository.closeChecked() }
    #expect(repository.players.min(of: \.rating) == -.infinity)
    #expect(repository.players.max(of: \.rating) == 2)
    #expect(repository.players.sum(of: \.rating).isNaN)
    let finite = repository.players.where { $0.rating >= 0 }
    #expect(finite.sum(of: \.rating) == 2 && finite.count == 3)
    #expect(repository.players.where { $0.id == 1 }.max(of: \.rating) == nil)
  }

  @Test(arguments: [true, false]) func groupsAndSectionsAreThoseOfADictionary(inMemory: Bool) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let values = PlayerValues.random(110, &random)
    let repository = try filled(inMemory, values)
    defer { repository.closeChecked() }
    let byCity = Dictionary(grouping: values, by: \.city)
    let cities = byCity.keys.sorted {
      ($0.map { Array($0.utf8) } ?? []).lexicographicallyPrecedes($1.map { Array($0.utf8) } ?? [])
    }
    try repository.inEachScope { players in
      let counts = try players.grouped(by: \.city).counts()
      #expect(counts.map(\.key) == cities && counts.map(\.values) == cities.map { byCity[$0]?.count })
      let groups = try players.grouped(by: \.city, \.level)
        .aggregate(.count, .sum(\.score), .average(\.rating), .min(\.fee), .max(\.rating))
      #expect(groups.map(\.values.0).reduce(0, +) == values.count)
      for group in groups {
        let members = values.filter { $0.city == group.key.0 && $0.level == group.key.1 }
        let ratings = members.compactMap(\.rating)
        let average: Double? = ratings.isEmpty ? nil : ratings.reduce(0, +) / Double(ratings.count)
        let sum: Int = members.reduce(0) { $0 + $1.score }
        #expect(group.values.0 == members.count && group.values.1 == sum)
        #expect(group.values.2 == average)
        #expect(group.values.3 == members.map(\.fee).min() && group.values.4 == ratings.max())
      }
      let sections = players.sorted(byKeyPath: \.score).sectioned(by: \.city)
      #expect(sections.allKeys == cities && sections.count == cities.count)
      for (index, section) in sections.enumerated() {
        let members = (byCity[section.key] ?? []).sorted { ($0.score, $0.id) < ($1.score, $1.id) }
        #expect(section.count == members.count && section.index == index)
        #expect(section.objects.map(\.id) == members.map(\.id), "seed \(seed)")
      }
      #expect(sections[0]?.key == cities[0] && sections[cities.count] == nil && sections[-1] == nil)
      let falling = players.where { $0.score > 3 }.sectioned(by: \.level, ascending: false)
      #expect(
        falling.allKeys.map(\.rawValue)
          == Set(values.filter { $0.score > 3 }.map(\.level.rawValue)).sorted(by: >)
      )
      let sectioned: [Int] = falling.map(\.count)
      #expect(sectioned.reduce(0, +) == values.count { $0.score > 3 })
    }
  }

  @Test(arguments: [true, false]) func selectionsAreColumns(inMemory: Bool) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let values = PlayerValues.random(200, &random)
    let repository = try filled(inMemory, values)
    defer { repository.closeChecked() }
    try repository.inEachScope { players in
      let rows = players.select(\.id, \.name, \.rating, \.city, \.level, \.joined, \.fee, \.team?.rank)
      // The property that a key path names is found with an object, once in a process.
      let made = ResultsPlayer.made
      for (row, expected) in zip(try rows.all(), values) {
        #expect(row.0 == expected.id && row.1 == expected.name && row.2 == expected.rating, "seed \(seed)")
        #expect(row.3 == expected.city && row.4 == expected.level && row.5 == expected.joined, "seed \(seed)")
        #expect(row.6 == expected.fee && row.7 == expected.rank, "seed \(seed)")
      }
      #expect(rows.map { $0.0 } == values.map(\.id) && rows.count == 200)
      #expect(rows.first?.1 == values.first?.name)
      let named = try players.sorted(byKeyPath: "id", ascending: false).select(["city", "team.rank", "score"])
        .all()
      for (row, expected) in zip(named, values.reversed()) {
        #expect(row[0] == expected.city.map(AnyRealmValue.string) ?? .none, "seed \(seed)")
        #expect(row[1] == expected.rank.map(AnyRealmValue.int) ?? .none && row[2] == .int(expected.score))
      }
      #expect(ResultsPlayer.made == made)
    }
    for names in [["team"], ["tags"], ["none"], ["name.x"]] {
      #expect(failure { try repository.players.select(names).all() } is FiefError, "\(names)")
    }
  }

  @Test func noObjectIsMadeThatIsNotReturned() throws {
    var random = SeededGenerator(seed: 5)
    let values = PlayerValues.random(300, &random)
    let repository = try filled(true, values)
    defer { repository.closeChecked() }
    func made(_ body: () throws -> Void) rethrows -> Int {
      let before = ResultsPlayer.made
      try body()
      return ResultsPlayer.made - before
    }
    // The paths of key paths are looked up on an object, once.
    let players = repository.players.where { $0.score > 0 }.sorted(byKeyPath: \.joined, ascending: false)
    _ = (players.sum(of: \.score), players.max(of: \.rating), players.sum(of: \.fee))
    _ = (try players.grouped(by: \.city).counts(), players.sectioned(by: \.city).count)
    let object = try #require(players.first)
    #expect(made { _ = (players.count, players.isEmpty, players.contains(object)) } == 0)
    #expect(made { _ = players.index(of: object) } == 0)
    #expect(try made { _ = try (players.fetchSum(of: \.score), players.fetchMax(of: \.rating)) } == 0)
    #expect(try made { _ = try players.grouped(by: \.city).counts() } == 0)
    #expect(made { _ = players.sectioned(by: \.city).count } == 0)
    #expect(made { _ = players.first } == 1)
    #expect(made { _ = players.last } == 1)
    #expect(made { _ = (players[40], players[4000]) } == 1)
    #expect(made { for _ in players.limit(7) {} } == 7)
    #expect(made { for _ in players { break } } == 1)
    let page = try players.page(20)
    #expect(try made { _ = try players.page(20, after: page.end) } == 20)
    #expect(try made { _ = try players.page(20, before: nil) } == 20)
    #expect(try made { _ = try players.cursor(for: object) } == 0)
    #expect(made { _ = players.limit(20).last } == 1)
  }

  @Test func objectsAreFoundByTheirKey() throws {
    var random = SeededGenerator(seed: 9)
    let values = PlayerValues.random(80, &random)
    let repository = try filled(true, values)
    defer { repository.closeChecked() }
    let expected = values.filter { $0.score > 2 }.sorted { ($0.score, $0.id) < ($1.score, $1.id) }.map(\.id)
    let everyone = try repository.players.all()
    try repository.inEachScope { players in
      let results = players.where { $0.score > 2 }.sorted(byKeyPath: \.score)
      for player in everyone {
        let place = expected.firstIndex(of: player.id)
        #expect(results.index(of: player) == place)
        #expect(results.contains(player) == (place != nil))
        #expect(results.limit(3).contains(player) == (place.map { $0 < 3 } ?? false))
      }
      #expect(results.index(matching: { $0.score > 5 }) == expected.firstIndex { id in values[id].score > 5 })
      #expect(results.index(matching: { $0.score > 50 }) == nil)
      #expect(!results.contains(PlayerValues(id: 1000).player([])))
    }
  }

  @Test func whatIsGoneIsNotHandedOutInAWrite() throws {
    let repository = try filled(true, (0..<200).map { PlayerValues(id: $0, score: $0 % 10) })
    defer { repository.closeChecked() }
    try repository.write { transaction in
      var seen: [Int] = []
      for player in transaction.objects(ResultsPlayer.self).where({ $0.score < 5 }).sorted(byKeyPath: \.score)
      {
        seen.append(player.id)
        // The one that comes next in the order of the score is gone or does not fit any more.
        guard let next = try transaction.object(ofType: ResultsPlayer.self, forPrimaryKey: player.id + 10)
        else {
          continue
        }
        if player.id % 20 < 10 { try transaction.delete(next) }
      }
      #expect(seen.sorted() == (0..<200).filter { $0 % 10 < 5 && $0 % 20 < 10 })
      try transaction.objects(ResultsPlayer.self).where { $0.score == 9 }.forEachObject { player in
        for other in transaction.objects(ResultsPlayer.self).where({ $0.score == 9 })
        where other.id > player.id {
          other.score = 8
        }
      }
      #expect(transaction.objects(ResultsPlayer.self).where { $0.score == 9 }.map(\.id) == [9])
    }
  }
}
