import Fief
import FiefEncryption
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Objects of results by their places: `results[0]`, `results[1]` and so on.
@Suite(.timeLimit(.minutes(20))) struct ResultPlaceTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func filled(_ place: MemberStore, _ count: Int, _ random: inout SeededGenerator) throws
    -> ResultsRepository
  {
    var repository = place == .disk ? ResultsRepository.onDisk(directory) : ResultsRepository()
    if place == .encrypted { repository.storeOptions.encryption = .key(Data(repeating: 7, count: 32)) }
    try repository.fill(PlayerValues.random(count, &random))
    return repository
  }

  private static func queries(_ players: Results<ResultsPlayer>, _ count: Int) -> [Results<ResultsPlayer>] {
    let sorted = players.sorted(byKeyPath: "name", ascending: false)
    return [
      players, players.where { $0.score >= 0 }, players.sorted(byKeyPath: "score"), sorted,
      sorted.where { $0.score >= 0 }, players.limit(count / 2), sorted.limit(count / 2),
      players.limit(toLast: count / 3), sorted.limit(toLast: count / 3), players.distinct(by: [\.fee]),
      sorted.distinct(by: [\.name]).limit(count / 4),
    ]
  }

  @Test(arguments: MemberStore.allCases) func eachPlaceHasItsObject(place: MemberStore) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let size = TestEffort.count(150, more: 300)
    let repository = try filled(place, size, &random)
    defer { repository.closeChecked() }
    try repository.inEachScope { players in
      for (number, results) in Self.queries(players, size).enumerated() {
        let expected = try results.all().map(\.id)
        for _ in 0..<TestEffort.count(1, more: 2) {
          for place in (0..<expected.count + 3).shuffled(using: &random) {
            let id = try results.fetchObject(at: place)?.id
            let wanted = place < expected.count ? expected[place] : nil
            #expect(id == wanted, "query \(number), place \(place), seed \(seed)")
          }
        }
        #expect(results[.max] == nil && results[-1] == nil)
      }
    }
  }

  @Test(arguments: MemberStore.allCases) func aLoopOverPlacesReadsEachRowAFewTimes(place: MemberStore) throws
  {
    var random = SeededGenerator(seed: 7)
    let count = TestEffort.count(560, more: 1_200)
    let repository = try filled(place, count, &random)
    defer { repository.closeChecked() }
    try repository.inEachScope { players in
      for (number, results) in Self.queries(players, count).enumerated() {
        let places = results.count
        let before = try repository.matchedRows
        for place in 0..<places { #expect(results[place] != nil) }
        // Sorting reads all rows, however few are wanted: at each of the first twelve look-ups, which pass over 66 rows together, and
        // at the look-ups of the places 12, 256, 514 and 1,030, which find keys.
        #expect(try repository.matchedRows - before <= 16 * count, "query \(number)")
      }
    }
  }

  @Test(arguments: MemberStore.allCases) func keysAreDroppedAtACommitAndAtTheEnd(place: MemberStore) throws {
    var random = SeededGenerator(seed: 9)
    let repository = try filled(place, 200, &random)
    let kept = try repository.store().core().recentPlaces
    let players = repository.players
    for _ in 0..<2 {
      for place in 0..<200 { #expect(players[place] != nil) }
      #expect(kept.size > 0)
      try repository.store().write { $0.objects(ResultsPlayer.self).first?.score = 20 }
      #expect(kept.size == 0)
    }
    try repository.store().read { snapshot in
      let players = snapshot.objects(ResultsPlayer.self)
      for place in 0..<200 { #expect(players[place] != nil) }
      DispatchQueue.global().sync {
        try? repository.store().write { $0.objects(ResultsPlayer.self).last?.score = 21 }
      }
      for place in 0..<200 { #expect(players[place] != nil) }
      #expect(kept.size == 0)
    }
    for place in 0..<200 { #expect(players[place] != nil) }
    #expect(kept.size > 0)
    repository.closeChecked()
    #expect(kept.size == 0)
  }

  @Test func keysHaveALimitInBytes() throws {
    let repository = ResultsRepository()
    defer { repository.closeChecked() }
    let table = try #require(try repository.store().core().tables["ResultsPlayer"])
    let places = RecentPlaces()
    var keys = KeyArray()
    [UInt8](repeating: 7, count: 600).withUnsafeBytes { key in for _ in 0..<15_000 { keys.append(key) } }
    for count in 1...3 {
      var description = QueryDescription()
      description.limit = .first(count)
      _ = places.step(to: 0, of: description, table, in: .commit(1))
      places.keep(keys, isWhole: false, of: description, table, in: .commit(1))
      #expect(places.size == keys.size && keys.size < RecentPlaces.mostBytes)
      guard case .key = places.step(to: 1, of: description, table, in: .commit(1)) else {
        Issue.record("no key, query \(count)")
        continue
      }
    }
    places.didCommit(2)
    #expect(places.size == 0)
  }

  @Test(arguments: MemberStore.allCases) func changesAreSeenAtOnce(place: MemberStore) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let repository = try filled(place, 200, &random)
    defer { repository.closeChecked() }
    let players = repository.players.sorted(byKeyPath: "score")
    for step in 0..<TestEffort.count(5, more: 30) {
      let expected = try players.all().map(\.id)
      #expect(expected.indices.map { players[$0]?.id } == expected, "step \(step), seed \(seed)")
      try repository.store().write { transaction in
        let players = transaction.objects(ResultsPlayer.self).sorted(byKeyPath: "score")
        for change in 0..<3 {
          let now = try players.all().map(\.id)
          #expect(now.indices.map { players[$0]?.id } == now, "step \(step).\(change), seed \(seed)")
          let place = Int.random(in: 0..<now.count, using: &random)
          let player = try #require(players[place])
          switch change {
          case 0: player.score = Int.random(in: -10...10, using: &random)
          case 1: try transaction.delete(player)
          default: try transaction.add(PlayerValues(id: 1_000 + step, score: step).player([]))
          }
        }
      }
    }
  }

  @Test func aReadKeepsItsPlacesWhileOthersWrite() throws {
    var random = SeededGenerator(seed: 3)
    let repository = try filled(.disk, 200, &random)
    defer { repository.closeChecked() }
    let newest = repository.players
    try repository.store().read { snapshot in
      let players = snapshot.objects(ResultsPlayer.self)
      let expected = try players.all().map(\.id)
      for place in expected.indices {
        if place % 50 == 20 {
          DispatchQueue.global().sync {
            try? repository.deleteAndWait(
              ofType: ResultsPlayer.self,
              forPrimaryKeys: [expected[place]]
            )
          }
        }
        #expect(players[place]?.id == expected[place])
        let now = try newest.all().map(\.id)
        #expect(newest[place]?.id == (place < now.count ? now[place] : nil))
      }
    }
    #expect(newest.count == 196)
  }
}
