import Fief
import FiefTesting
import Foundation
import Testing

@testable import PetStoreKit

@Suite("The package index as a cache") struct PackageIndexTests {
  private struct Unreachable: Error {}

  /// A source that counts how often it is read.
  private actor Source {
    private(set) var readings = 0
    var isComplete = true
    var error: (any Error)?

    func set(isComplete: Bool = true, error: (any Error)? = nil) {
      (self.isComplete, self.error) = (isComplete, error)
    }

    func read() throws -> CatalogueImporter.Report {
      readings += 1
      if let error { throw error }
      return CatalogueImporter.Report(counts: ImportCounts(added: 7), isComplete: isComplete)
    }
  }

  private func withCatalogue(
    _ kind: StoreKind,
    _ body: (CatalogueRepository, Source) async throws -> Void
  ) async throws {
    try await withFreshStores(kind) {
      let catalogue = CatalogueRepository(directory: "index")
      try await body(catalogue, Source())
      #expect(try catalogue.check().problems.isEmpty)
    }
  }

  /// Asks for an index.
  ///
  /// - Returns: whether this call has read it.
  private func ask(_ catalogue: CatalogueRepository, _ source: Source, isRefreshing: Bool = false)
    async throws -> Bool
  {
    let state = try await catalogue.index("apt", isRefreshing: isRefreshing) { try await source.read() }
    switch state {
    case .read(let report):
      #expect(report.counts.packages == 7)
      return true
    case .fresh(let packages, let readAt):
      #expect(packages == 7 && readAt != nil)
      return false
    }
  }

  /// Lets the index be older.
  private func age(_ catalogue: CatalogueRepository, by seconds: TimeInterval) async throws {
    try await catalogue.write { tx in
      let index = try #require(try tx.object(ofType: PackageIndex.self, forPrimaryKey: "apt"))
      index.readAt = try #require(index.readAt).addingTimeInterval(-seconds)
    }
  }

  @Test("An index is read once a day", arguments: StoreKind.allCases)
  func lifetime(kind: StoreKind) async throws {
    try await withCatalogue(kind) { catalogue, source in
      #expect(try await ask(catalogue, source))
      #expect(try await ask(catalogue, source) == false)
      try await age(catalogue, by: 23 * 3600)
      #expect(try await ask(catalogue, source) == false)
      try await age(catalogue, by: 3600)
      #expect(try await ask(catalogue, source))
      #expect(try await ask(catalogue, source) == false)
      #expect(try await ask(catalogue, source, isRefreshing: true))
      #expect(await source.readings == 3)
    }
  }

  @Test("An index that was not read to its end is read by the next call", arguments: StoreKind.allCases)
  func incomplete(kind: StoreKind) async throws {
    try await withCatalogue(kind) { catalogue, source in
      var isRead: [Bool] = []
      for isComplete in [false, false, true, true] {
        await source.set(isComplete: isComplete)
        isRead.append(try await ask(catalogue, source))
      }
      #expect(isRead == [true, true, true, false])
    }
  }

  @Test("A failure is an error, also where an older index is there", arguments: StoreKind.allCases)
  func failure(kind: StoreKind) async throws {
    try await withCatalogue(kind) { catalogue, source in
      await source.set(error: Unreachable())
      await #expect(throws: Unreachable.self) { try await ask(catalogue, source) }
      #expect(try catalogue.count(PackageIndex.self) == 0)
      await source.set()
      #expect(try await ask(catalogue, source))
      try await age(catalogue, by: 25 * 3600)
      await source.set(error: Unreachable())
      await #expect(throws: Unreachable.self) { try await ask(catalogue, source) }
      await source.set()
      #expect(try await ask(catalogue, source))
    }
  }

  @Test("With a maintainer's packages the index is not as it was read", arguments: StoreKind.allCases)
  func removal(kind: StoreKind) async throws {
    try await withCatalogue(kind) { catalogue, source in
      let team = "Maintainer: Team <t@example.org>"
      _ = try await catalogue.store([try Fixtures.package("app", "1", [team])])
      #expect(try await ask(catalogue, source))
      #expect(try await catalogue.removeMaintainer("other@example.org") == nil)
      #expect(try await ask(catalogue, source) == false)
      #expect(try await catalogue.removeMaintainer("t@example.org") == 1)
      #expect(try await ask(catalogue, source))
    }
  }

  @Test("Calls at the same time read an index once")
  func atOnce() async throws {
    try await withCatalogue(.inMemory) { catalogue, source in
      let reading = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 { group.addTask { try await ask(catalogue, source) } }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(reading == 1)
      #expect(await source.readings == 1)
    }
  }
}
