import Fief
import Foundation
import TestEffort
import Testing

@testable import FiefCore

/// Aggregates of paths through collections, compared with loops over the objects.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CollectionAggregateTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func same<Value: Equatable>(
    _ found: Value,
    _ expected: Value,
    _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found == expected, comment, sourceLocation: sourceLocation)
  }

  /// Calls `body` with some of the owners, outside of scopes and in scopes.
  private func withOwners(
    inMemory: Bool,
    _ body: (_ results: Results<KennelOwner>, _ owners: [KennelOwner], _ comment: Comment) throws -> Void
  ) throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let repository = KennelRepository.make(inMemory: inMemory, directory)
    defer { repository.closeChecked() }
    try repository.fill(&random)
    let store = repository.store()
    func check(_ owners: Results<KennelOwner>, count: Int) throws {
      for results in [
        owners.where { $0.id.in([3, 7, 13, 99]) }, owners, owners.where { $0.score > 2 },
        owners.where { $0.score == 3 }, owners.where { $0.id < 0 },
        owners.sorted(byKeyPath: \.score, ascending: false).limit(7),
      ].prefix(count) {
        try body(results, try results.all(), "seed \(seed)")
      }
    }
    try check(repository.owners, count: 6)
    let inScopes = TestEffort.count(1, more: 3)
    try store.read { try check($0.objects(KennelOwner.self), count: inScopes) }
    try store.write { try check($0.objects(KennelOwner.self), count: inScopes) }
  }

  @Test(arguments: [true, false]) func numbersOfLinkedObjects(inMemory: Bool) throws {
    try withOwners(inMemory: inMemory) { results, owners, comment in
      let ages = owners.flatMap { $0.dogs.map(\.age) }
      try same(results.fetchSum(of: \.dogs.age), ages.total, comment)
      try same(results.fetchSum(ofProperty: "dogs.age"), ages.total, comment)
      same(results.min(of: \.dogs.age), ages.min(), comment)
      same(results.max { $0.dogs.age }, ages.max(), comment)
      let mean = ages.isEmpty ? nil : Double(ages.total) / Double(ages.count)
      try same(results.fetchAverage(of: \.dogs.age), mean, comment)
      same(results.average(ofProperty: "dogs.age"), mean, comment)
      same(results.count(of: \.dogs.age), ages.count, comment)
      let strays = owners.flatMap { $0.strays.map(\.age) }
      try same(results.fetchSum(of: \.strays.age), strays.total, comment)
      same(results.count(of: \.strays.age), strays.count, comment)
      same(results.count(of: \.strays), owners.reduce(0) { $0 + $1.strays.count }, comment)
      same(results.count { $0.score > 3 }, owners.count { $0.score > 3 }, comment)
      same(results.count(ofProperty: "dogs"), owners.reduce(0) { $0 + $1.dogs.count }, comment)
      // Rounding depends on the order, and that on the access path of the query.
      let weights = owners.flatMap { $0.dogs.compactMap(\.weight) }
      let weight: Double = try results.fetchSum(of: \.dogs.weight)
      #expect(abs(weight - weights.total) < 1e-9, comment)
      same(results.max(of: \.dogs.weight), weights.max(), comment)
      let fees = owners.flatMap { $0.dogs.map(\.fee) }
      try same(results.fetchSum(of: \.dogs.fee), fees.total, comment)
      same(results.min(of: \.dogs.born), owners.flatMap { $0.dogs.map(\.born) }.min(), comment)
      let names = owners.flatMap { $0.dogs.map(\.name) }
      let last: String? = results.max(ofProperty: "dogs.name")
      same(last, names.max { $0.utf8.lexicographicallyPrecedes($1.utf8) }, comment)
      same(results.sum(of: \.dogs.id), owners.flatMap { $0.dogs.map(\.id) }.total, comment)
      let favourites = owners.flatMap { $0.favourites.map(\.age) }
      same(results.sum(of: \.favourites.age), favourites.total, comment)
      let named = owners.flatMap { $0.byName.values.compactMap { $0?.age } }
      same(results.sum(of: \.byName.age), named.total, comment)
      same(results.count(of: \.byName.age), named.count, comment)
    }
  }

  @Test(arguments: [true, false]) func valuesAndNestedCollections(inMemory: Bool) throws {
    try withOwners(inMemory: inMemory) { results, owners, comment in
      let numbers = owners.flatMap { Array($0.numbers) }
      same(results.sum(ofProperty: "numbers"), numbers.total, comment)
      same(results.count(ofProperty: "numbers"), numbers.count, comment)
      let greatest: Int? = results.max(ofProperty: "numbers")
      same(greatest, numbers.max(), comment)
      let weights = owners.flatMap { $0.weights.compactMap(\.self) }
      let weight: Double = results.sum(ofProperty: "weights")
      #expect(abs(weight - weights.total) < 1e-9, comment)
      same(results.count(of: \.weights), weights.count, comment)
      same(results.sum(ofProperty: "levels"), owners.flatMap { Array($0.levels) }.total, comment)
      let least: Double? = results.min(ofProperty: "prices")
      same(least, owners.flatMap { Array($0.prices.values) }.min(), comment)
      let areas = owners.flatMap { $0.rooms.compactMap(\.area) }
      same(results.sum(of: \.rooms.area), areas.total, comment)
      same(results.min(of: \.rooms.area), areas.min(), comment)
      same(results.count(of: \.rooms), owners.reduce(0) { $0 + $1.rooms.count }, comment)
      let prices = owners.flatMap { $0.dogs.flatMap { $0.toys.map(\.price) } }
      try same(results.fetchSum(of: \.dogs.toys.price), prices.total, comment)
      same(results.count(of: \.dogs.toys), prices.count, comment)
      let stored = owners.flatMap { $0.rooms.flatMap { $0.toys.map(\.price) } }
      same(results.sum(ofProperty: "rooms.toys.price"), stored.total, comment)
      let of = owners.flatMap { ($0.dog?.toys).map { $0.map(\.price) } ?? [] }
      same(results.sum(of: \.dog.toys.price), of.total, comment)
      let inMain = owners.flatMap { ($0.main?.toys).map { $0.map(\.price) } ?? [] }
      same(results.sum(ofProperty: "main.toys.price"), inMain.total, comment)
      let back = owners.flatMap { ($0.dog?.owners).map { $0.map(\.score) } ?? [] }
      same(results.sum(of: \.dog.owners.score), back.total, comment)
      let ages = owners.flatMap { $0.dogs.map(\.age) }
      let doubled: Int = results.sum { $0.dogs.age * 2 }
      same(doubled, 2 * ages.total, comment)
      same(results.max(of: \.dogs.age.sum), owners.map { $0.dogs.map(\.age).total }.max(), comment)
    }
  }

  @Test(arguments: [true, false]) func groupsAndSelections(inMemory: Bool) throws {
    try withOwners(inMemory: inMemory) { results, owners, comment in
      let cities = Dictionary(grouping: owners, by: \.city)
      let groups = try results.grouped(by: \.city)
        .aggregate(.count, .sum(\.dogs.age), .count(\.strays), .max(\.dogs.weight), .average(\.dogs.age))
      same(groups.map(\.key), cities.keys.sorted(), comment)
      for group in groups {
        let members = cities[group.key] ?? []
        let ages = members.flatMap { $0.dogs.map(\.age) }
        same(group.values.0, members.count, comment)
        same(group.values.1, ages.total, comment)
        same(group.values.2, members.reduce(0) { $0 + $1.strays.count }, comment)
        same(group.values.3, members.flatMap { $0.dogs.compactMap(\.weight) }.max(), comment)
        let mean = ages.isEmpty ? nil : Double(ages.total) / Double(ages.count)
        same(group.values.4, mean, comment)
      }
      let rows = try results.select(["id", "dogs.@sum.age", "dogs.@count", "dogs.@max.age"]).all()
      let expected = owners.map { owner -> [AnyRealmValue] in
        let ages = owner.dogs.map(\.age)
        return [
          .int(owner.id), .int(ages.total), .int(owner.dogs.count),
          ages.max().map { .int($0) } ?? .none,
        ]
      }
      same(rows, expected, comment)
      let sums: Int? = results.max(ofProperty: "dogs.@sum.age")
      same(sums, owners.map { $0.dogs.map(\.age).total }.max(), comment)
    }
  }

  @Test func whatCannotBeAskedIsAnError() throws {
    let repository = KennelRepository()
    defer { repository.closeChecked() }
    let owners = repository.owners
    let wrong: [(FiefError.Code, () throws -> Any?)] = [
      (.invalidQuery, { try owners.fetchSum(ofProperty: "dogs.name") as Int }),
      (.invalidQuery, { try owners.fetchSum(ofProperty: "dogs") as Int }),
      (.invalidQuery, { try owners.fetchAverage(ofProperty: "dogs.born") }),
      (.invalidQuery, { try owners.fetchMax(ofProperty: "dogs.toys") as Int? }),
      (.unknownProperty, { try owners.fetchSum(ofProperty: "dogs.none") as Int }),
      (.invalidQuery, { try owners.fetchSum(ofProperty: "numbers.age") as Int }),
      (.malformedQuery, { try owners.fetchSum(ofProperty: "dogs.@sum.age AND") as Int }),
      (.invalidQuery, { try owners.select(["dogs.age"]).all() }),
    ]
    for (number, (code, body)) in wrong.enumerated() {
      let error = failure(body) as? FiefError
      #expect(error?.code == code, "\(number): \(String(describing: error))")
    }
    same(owners.sum(of: \.dogs.age), 0, "")
    same(owners.max(of: \.dogs.age), nil, "")
    same(owners.average(of: \.dogs.age), nil, "")
    same(owners.count(of: \.dogs), 0, "")
  }
}

extension Sequence where Element: AdditiveArithmetic {
  fileprivate var total: Element { reduce(.zero, +) }
}
