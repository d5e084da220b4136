import FiefConsole
import FiefTesting
import Foundation
import TestEffort
import Testing

@testable import PetStoreKit

@Suite("The catalogue", .freshStores) struct CatalogueRepositoryTests {
  private let catalogue = CatalogueRepository(directory: nil)

  private func package(_ name: String, _ version: String = "1", _ fields: String...) throws -> PackageRecord {
    try Fixtures.package(name, version, fields)
  }

  @Test("A package named before it is described is the same package afterwards")
  func forwardReference() async throws {
    let first = try await catalogue.store([try package("app", "1", "Depends: lib (>= 2), virtual")])
    #expect(first.added == 1)
    #expect(try catalogue.packageStates() == (available: 1, mentioned: 2, virtual: 0))
    let second = try await catalogue.store([try package("lib", "2.1")])
    #expect(second.added == 1)
    #expect(try catalogue.packageStates() == (available: 2, mentioned: 1, virtual: 0))
    #expect(try catalogue.mostNeeded(5).map(\.name) == ["lib", "virtual"])
  }

  @Test("An import can be repeated; a later version replaces, an earlier one does not")
  func versions() async throws {
    let first = try package("app", "1:1.0-1", "Depends: old", "Tag: role::program")
    #expect(try await catalogue.store([first]).added == 1)
    let again = try await catalogue.store([first, try package("app", "99")])
    #expect(again == ImportCounts(unchanged: 2))
    let later = try await catalogue.store([try package("app", "1:1.0-2", "Depends: new-a, new-b")])
    #expect(later.updated == 1)
    #expect(try catalogue.mostNeeded(5).map(\.name) == ["new-a", "new-b"])
    let closure = try #require(try catalogue.closure(of: "app"))
    #expect(closure.members.map(\.version) == ["1:1.0-2"])
    #expect(closure.unmet == ["new-a", "new-b"])
  }

  @Test("A closure takes the first alternative there is, providers of virtual packages, and ends on circles")
  func closure() async throws {
    _ = try await catalogue.store([
      try package(
        "app",
        "1",
        "Pre-Depends: base",
        "Depends: missing | lib (>= 2), mta, api (= 3)",
        "Recommends: extra"
      ),
      try package("base", "1", "Depends: app"),
      try package("lib", "2.5", "Depends: base, base (>= 1)"),
      try package("zmail", "1", "Provides: mta"),
      try package("amail", "1", "Provides: mta, api"),
      try package("impl", "1", "Provides: api (= 3)"),
      try package("extra", "1", "Depends: gone | never"),
    ])
    let closure = try #require(try catalogue.closure(of: "app"))
    #expect(closure.members.map(\.name) == ["app", "base", "lib", "amail", "impl"])
    #expect(closure.members.map(\.depth) == [0, 1, 1, 1, 1])
    #expect(closure.unmet.isEmpty)
    #expect(closure.installedSize == 50 * 1024)
    let recommended = try #require(try catalogue.closure(of: "app", recommended: true))
    #expect(recommended.members.last?.name == "extra")
    #expect(recommended.unmet == ["gone | never"])
    #expect(try catalogue.closure(of: "missing") == nil)
    #expect(try catalogue.closure(of: "unheard-of") == nil)
  }

  @Test("A version that is not there leaves the dependency unmet")
  func unmetVersion() async throws {
    _ = try await catalogue.store([try package("app", "1", "Depends: lib (>> 2)"), try package("lib", "2")])
    let closure = try #require(try catalogue.closure(of: "app"))
    #expect(closure.members.map(\.name) == ["app"])
    #expect(closure.unmet == ["lib (>> 2)"])
  }

  @Test("Rankings count each package once")
  func rankings() async throws {
    let by = "Maintainer: Team <T@example.org>"
    _ = try await catalogue.store([
      try package("a", "1", "Depends: c, c (>= 1) | c", by, "Section: libs"),
      try package(
        "b",
        "1",
        "Depends: c",
        "Pre-Depends: c",
        "Maintainer: The Team <t@EXAMPLE.org>",
        "Section: libs"
      ),
      try package("c", "1", by, "Section: base"),
    ])
    #expect(try catalogue.mostNeeded(3) == [.init(name: "c", detail: "", count: 2)])
    #expect(try catalogue.busiestMaintainers(3) == [.init(name: "Team", detail: "t@example.org", count: 3)])
    #expect(try catalogue.largestSections(1).map(\.name) == ["libs"])
    #expect(try catalogue.mostNeeded(0).isEmpty)
  }

  @Test("The importer takes files in batches, obeys its limit, and reports what was wrong")
  func importer() async throws {
    let count = TestEffort.count(500, more: 3_000)
    try await Fixtures.withDirectory { directory in
      let file = directory.appending(path: "index")
      let text = (0..<count).map { "Package: p\($0)\nVersion: 1\nDepends: p\(($0 + 1) % count)\n\n" }.joined()
      try Data((text + "Package: bad\n\n").utf8).write(to: file)
      let source = try PackageSource.file(file.path(percentEncoded: false))
      let console = Console(terminal: .plain) { _ in }
      let importer = CatalogueImporter(into: catalogue, batchSize: 100)
      let part = try await importer.run(source, limit: 250, on: console)
      #expect(part.counts.packages == 250 && !part.isComplete)
      let whole = try await importer.run(source, limit: nil, on: console)
      #expect(whole.counts.added == count - 250 && whole.isComplete)
      #expect(whole.counts.unchanged == 250)
      #expect(whole.problemCount == 1)
      #expect(whole.problems.map(\.kind) == [.missingField("version")])
      #expect(whole.bytes == text.utf8.count + 14)
      let circle = try #require(try catalogue.closure(of: "p0"))
      #expect(circle.members.count == count)
      #expect(circle.depth == count - 1)
    }
  }
}
