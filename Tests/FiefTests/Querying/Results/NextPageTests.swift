import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Pages of one size, each of which continues the walk of the one before it, among changes of the store.
@Suite(.timeLimit(.minutes(20))) struct NextPageTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let orders: [[PropertyOrder]] = [
    [PropertyOrder(keyPath: "score")], [PropertyOrder(keyPath: "score", ascending: false)],
    [PropertyOrder(keyPath: "city")], [PropertyOrder(keyPath: "city", ascending: false)],
    [PropertyOrder(keyPath: "city", nils: .last)], [PropertyOrder(keyPath: "rating")], [],
    [PropertyOrder(keyPath: "id", ascending: false)],
    [PropertyOrder(keyPath: "score"), PropertyOrder(keyPath: "id")],
  ]

  @Test(arguments: [true, false]) func theyAreThoseThatArePlannedAnew(inMemory: Bool) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let repository = inMemory ? ResultsRepository() : ResultsRepository.onDisk(directory)
    defer { repository.closeChecked() }
    try repository.fill(PlayerValues.random(150, &random))
    for round in 0..<TestEffort.count(9, more: 20) {
      let order = Self.orders[round % Self.orders.count]
      let comment = "round \(round), seed \(seed)"
      var players = repository.players.sorted(by: order)
      switch round % 3 {
      case 1: players = players.where { $0.score > 0 }
      case 2: players = players.where { $0.score == 4 || $0.city == "Ulm" }
      default: break
      }
      let size = Int.random(in: 1...9, using: &random)
      var cursor: QueryCursor?
      while true {
        if Int.random(in: 0..<4, using: &random) == 0 { try change(repository, &random) }
        let page = try players.page(size, after: cursor)
        let rest = cursor.map { players.start(after: $0) } ?? players
        let planned = try rest.all()
        #expect(page.objects.map(\.id) == planned.prefix(size).map(\.id), "\(comment)")
        #expect(page.objects.map(\.name) == planned.prefix(size).map(\.name), "\(comment)")
        #expect(page.hasMore == (planned.count > size), "\(comment)")
        #expect(try page.start == page.objects.first.map { try players.cursor(for: $0) }, "\(comment)")
        #expect(try page.end == page.objects.last.map { try players.cursor(for: $0) }, "\(comment)")
        cursor = page.end ?? cursor
        if !page.hasMore { break }
      }
      // The first page again, along the same walk.
      #expect(try players.page(size).objects.map(\.id) == players.all().prefix(size).map(\.id), "\(comment)")
    }
  }

  private func change(_ repository: ResultsRepository, _ random: inout SeededGenerator) throws {
    let id = Int.random(in: 0..<150, using: &random)
    let score = Int.random(in: -3...9, using: &random)
    try repository.store().write { transaction in
      guard let player = try transaction.object(ofType: ResultsPlayer.self, forPrimaryKey: id) else {
        try transaction.create(ResultsPlayer.self, value: ["id": id, "score": score])
        return
      }
      if id % 2 == 0 { player.score = score } else { try transaction.delete(player) }
    }
  }

  @Test(arguments: [true, false]) func whatIsRefusedStaysRefused(inMemory: Bool) throws {
    let repository = inMemory ? ResultsRepository() : ResultsRepository.onDisk(directory)
    try repository.fill((1...50).map { PlayerValues(id: $0, score: $0 / 4) })
    let players = repository.players.sorted(byKeyPath: "score")
    let end = try #require(try players.page(10).end)
    #expect(try players.page(10, after: end).objects.map(\.id) == Array(11...20))
    let other = repository.players.sorted(byKeyPath: "score", ascending: false)
    let foreign = try #require(try other.page(10).end)
    for _ in 0..<2 {
      let error = #expect(throws: FiefError.self) { try players.page(10, after: foreign) }
      #expect(error?.code == .invalidCursor)
      #expect(throws: FiefError.self) { try players.start(after: foreign).page(10, after: end) }
      #expect(try players.page(10, after: end).objects.map(\.id) == Array(11...20))
    }
    // Results that are bounded themselves have pages of their own.
    #expect(try players.end(before: end).page(10).objects.map(\.id) == Array(1...9))
    #expect(try players.start(after: end).page(10).objects.map(\.id) == Array(11...20))
    #expect(try players.offset(5).page(10).objects.map(\.id) == Array(6...15))
    try repository.read { scope in
      let scoped = scope.objects(ResultsPlayer.self).sorted(byKeyPath: "score")
      let page = try scoped.page(10, after: end)
      #expect(page.objects.map(\.id) == Array(11...20) && page.objects.first === scoped[10])
    }
    repository.closeChecked()
    #expect(throws: FiefError.self) { try players.page(10, after: end) }
  }
}
