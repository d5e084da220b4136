import Fief
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import PetStoreKit

@Suite("The catalogue against a plain model") struct CatalogueModelTests {
  private struct Entry {
    var needs: Set<String> = []
    var provides: Set<String> = []
    var maintainer: String?
  }

  /// The expected contents of the catalogue, without a store.
  private struct Model {
    var entries: [String: Entry] = [:]

    mutating func store(_ record: PackageRecord) {
      var entry = Entry(maintainer: record.maintainer.email)
      entry.needs = Set([record.preDepends, record.depends].flatMap(\.clauses).joined().map(\.name))
      entry.provides = Set(record.provides.clauses.joined().map(\.name))
      let mentioned = Set(record.recommends.clauses.joined().map(\.name))
      for name in entry.needs.union(entry.provides).union(mentioned) where entries[name] == nil {
        entries[name] = Entry()
      }
      entries[record.name] = entry
    }

    func packages(of maintainer: String) -> Set<String> {
      Set(entries.filter { $0.value.maintainer == maintainer }.keys)
    }

    mutating func remove(_ gone: Set<String>) {
      for name in gone { entries[name] = nil }
      for name in entries.keys {
        entries[name]?.needs.subtract(gone)
        entries[name]?.provides.subtract(gone)
      }
    }

    func dependents(of name: String) -> Set<String> {
      let names = (entries[name]?.provides ?? []).union([name])
      return Set(entries.filter { !$0.value.needs.isDisjoint(with: names) }.keys).subtracting([name])
    }

    func allDependents(of name: String) -> Set<String> {
      var found: Set<String> = [name]
      var level = found
      while !level.isEmpty {
        var next: Set<String> = []
        for name in level { next.formUnion(dependents(of: name)) }
        level = next.subtracting(found)
        found.formUnion(level)
      }
      return found.subtracting([name])
    }
  }

  /// In the short form each kind of store has a seed of its own.
  private static let arguments = StoreKind.allCases.enumerated().flatMap { index, kind in
    (TestEffort.isLong ? Array(1...3) : [index + 1]).map { (kind, $0) }
  }

  @Test("Imports and removals at random", arguments: arguments)
  func random(kind: StoreKind, seed: Int) async throws {
    try await withFreshStores(kind) {
      let catalogue = CatalogueRepository(directory: nil)
      var random = SeededGenerator(seed: UInt64(seed))
      var model = Model()
      for turn in 1...TestEffort.count(10, more: 15) {
        let place: Comment = "seed \(seed), turn \(turn)"
        if turn % 5 == 0 {
          try await remove("m\(Int.random(in: 0..<4, using: &random))@example.org", catalogue, &model, place)
        } else {
          let records = try (0..<Int.random(in: 1...12, using: &random)).map { _ in
            try record(version: turn, using: &random)
          }
          // The first of several stanzas of one package counts, as they have the same version.
          var seen: Set<String> = []
          for record in records where seen.insert(record.name).inserted { model.store(record) }
          _ = try await catalogue.store(records)
        }
        try compare(catalogue, model, walkingFrom: turn, place)
      }
    }
  }

  private func record(version: Int, using random: inout SeededGenerator) throws -> PackageRecord {
    func names(_ count: ClosedRange<Int>, _ separators: [String]) -> String {
      (0..<Int.random(in: count, using: &random)).map { _ in "p\(Int.random(in: 0..<30, using: &random))" }
        .reduce("") { $0.isEmpty ? $1 : $0 + (separators.randomElement(using: &random) ?? ", ") + $1 }
    }
    let fields = [
      ("Depends", names(0...6, [", ", " | "])), ("Pre-Depends", names(0...1, [", "])),
      ("Provides", names(0...2, [", "])), ("Recommends", names(0...2, [", "])),
    ]
    return try Fixtures.package(
      "p\(Int.random(in: 0..<30, using: &random))",
      "\(version)",
      ["Maintainer: M <m\(Int.random(in: 0..<4, using: &random))@example.org>"]
        + fields.filter { !$0.1.isEmpty }.map { "\($0): \($1)" }
    )
  }

  private func remove(
    _ maintainer: String,
    _ catalogue: CatalogueRepository,
    _ model: inout Model,
    _ place: Comment
  ) async throws {
    let gone = model.packages(of: maintainer)
    let lost = model.entries.filter { !gone.contains($0.key) }.map { $0.value.needs.intersection(gone).count }
    let preview = try catalogue.removal(ofMaintainer: maintainer)
    #expect(preview != nil || gone.isEmpty, place)
    #expect(preview.map(\.packages) ?? 0 == gone.count, place)
    #expect(preview.map(\.links) ?? 0 == lost.reduce(0, +), place)
    #expect(preview.map(\.dependents) ?? 0 == lost.count { $0 > 0 }, place)
    #expect(try await catalogue.removeMaintainer(maintainer) == preview?.packages, place)
    model.remove(gone)
  }

  private func compare(
    _ catalogue: CatalogueRepository,
    _ model: Model,
    walkingFrom turn: Int,
    _ place: Comment
  ) throws {
    try catalogue.read { snapshot in
      #expect(Set(snapshot.objects(Package.self).map(\.name)) == Set(model.entries.keys), place)
      for package in snapshot.objects(Package.self) {
        let entry = model.entries[package.name]
        #expect(Set(package.dependencies.map(\.name)) == entry?.needs, place)
        #expect(package.dependencyCount == entry?.needs.count, place)
        let dependents = model.entries.values.count { $0.needs.contains(package.name) }
        #expect(package.dependentsCount == dependents, place)
      }
    }
    for name in ["p\(turn)", "p\(30 - turn)", "p\(turn * 7 % 30)"] {
      let direct = try catalogue.dependents(of: name)?.members.map(\.name) ?? []
      #expect(Set(direct) == model.dependents(of: name) && direct.count == Set(direct).count, place)
      let all = try catalogue.dependents(of: name, recursive: true)?.members.map(\.name) ?? []
      #expect(Set(all) == model.allDependents(of: name) && all.count == Set(all).count, place)
    }
  }
}
