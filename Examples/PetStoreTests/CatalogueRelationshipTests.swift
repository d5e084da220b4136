import Fief
import FiefTesting
import Foundation
import Testing

@testable import PetStoreKit

@Suite("What packages need, who needs them, and what goes with whom") struct CatalogueRelationshipTests {
  private let catalogue = CatalogueRepository(directory: nil)

  private func package(_ name: String, _ fields: String...) throws -> PackageRecord {
    try Fixtures.package(name, "1", fields)
  }

  private func passes(_ body: () throws -> Void) rethrows -> Int {
    let before = catalogue.store().metrics.lookups
    try body()
    return Int(catalogue.store().metrics.lookups - before)
  }

  @Test(
    "A closure costs some passes for each level, however many packages it has",
    arguments: StoreKind.allCases
  )
  func passesOfClosure(kind: StoreKind) async throws {
    try await withFreshStores(kind) {
      var records = [
        try package("app", "Depends: " + (1...200).map { "lib\($0)" }.joined(separator: ", ")),
        try package("base"), try package("real", "Provides: virtual"),
      ]
      for number in 1...200 { records.append(try package("lib\(number)", "Depends: base, virtual")) }
      _ = try await catalogue.store(records)
      var closure: Closure?
      let passes = try passes { closure = try catalogue.closure(of: "app") }
      #expect(closure?.members.count == 203)
      #expect(closure?.depth == 2)
      #expect(closure?.links == 600)
      #expect(passes <= 1 + 3 * 4, "\(passes)")
      let before = catalogue.store().metrics.objectsRead
      let dependents = try catalogue.dependents(of: "base", recursive: true)
      #expect(dependents?.members.count == 201)
      #expect(dependents?.links == 400)
      // Base, the libraries and the application, each once, however many links lead to it.
      #expect(catalogue.store().metrics.objectsRead - before == 202)
    }
  }

  @Test("Who needs a package names it, an alternative, or what it stands for", arguments: StoreKind.allCases)
  func dependents(kind: StoreKind) async throws {
    try await withFreshStores(kind) {
      _ = try await catalogue.store([
        try package("mailer", "Provides: mta", "Depends: lib"),
        try package("lib", "Depends: lib-data"),
        try package("lib-data", "Depends: lib"),
        try package("app", "Depends: other | mailer", "Recommends: lib-data"),
        try package("tool", "Pre-Depends: mta"),
        try package("suite", "Depends: tool, app"),
        try package("alone"),
      ])
      let direct = try #require(try catalogue.dependents(of: "mailer"))
      #expect(direct.members.map(\.name) == ["app", "tool"])
      #expect(direct.members.map(\.through) == [nil, "mta"])
      let all = try #require(try catalogue.dependents(of: "mailer", recursive: true))
      #expect(all.members.map(\.name) == ["app", "tool", "suite"])
      #expect(all.members.map(\.depth) == [1, 1, 2])
      let circle = try #require(try catalogue.dependents(of: "lib", recursive: true))
      #expect(circle.members.map(\.name) == ["lib-data", "mailer", "app", "tool", "suite"])
      #expect(try catalogue.dependents(of: "mta")?.members.map(\.name) == ["tool"])
      #expect(try catalogue.dependents(of: "alone", recursive: true) == Dependents())
      #expect(try catalogue.dependents(of: "unheard-of") == nil)
    }
  }

  @Test("The fields of a package, clause by clause", arguments: StoreKind.allCases)
  func requirements(kind: StoreKind) async throws {
    try await withFreshStores(kind) {
      _ = try await catalogue.store([
        try package(
          "app",
          "Pre-Depends: lib (>= 1)",
          "Depends: no:any (<< 2) | mta, gone",
          "Recommends: lib (>> 1)"
        ),
        try package("lib"), try package("mailer", "Provides: mta"),
      ])
      let found = try #require(try catalogue.requirements(of: "app"))
      #expect(found.map(\.kind) == [.preDepends, .depends, .depends, .recommends])
      #expect(found.map(\.text) == ["lib (>= 1)", "no:any (<< 2) | mta", "gone", "lib (>> 1)"])
      #expect(found.map(\.taken) == ["lib", "mailer", nil, nil])
      #expect(try catalogue.requirements(of: "gone") == nil)
      #expect(try catalogue.requirements(of: "lib") == [])
    }
  }

  @Test(
    "A maintainer's packages go along, the counted ones; an import brings them back",
    arguments: StoreKind.allCases
  )
  func removal(kind: StoreKind) async throws {
    try await withFreshStores(kind) {
      let (team, ann) = ("Maintainer: The Team <T@example.org>", "Maintainer: Ann <ann@example.org>")
      let records = [
        try package("lib", team, "Section: libs", "Depends: lib-data"),
        try package("lib-data", team, "Section: libs", "Depends: lib"),
        try package("app", ann, "Section: games", "Depends: lib, base, lib-data", "Recommends: lib"),
        try package("base", ann, "Section: libs"),
      ]
      _ = try await catalogue.store(records)
      let found = try catalogue.maintainers(called: "the TEAM")
      #expect(found.map(\.email) == ["t@example.org"])
      #expect(try catalogue.maintainers(called: "ANN@example.org").map(\.name) == ["Ann"])
      #expect(try catalogue.maintainers(called: "nobody").isEmpty)
      let preview = try #require(try catalogue.removal(ofMaintainer: "t@example.org"))
      #expect(preview.packages == 2)
      #expect(preview.installedBytes == 2 * 10 * 1024)
      #expect(preview.dependents == 1 && preview.links == 2)
      #expect(try catalogue.count(Package.self) == 4)
      #expect(try await catalogue.removeMaintainer("t@example.org") == 2)
      #expect(try await catalogue.removeMaintainer("t@example.org") == nil)
      #expect(try catalogue.removal(ofMaintainer: "t@example.org") == nil)

      try catalogue.read { snapshot in
        let app = try #require(try snapshot.object(ofType: Package.self, forPrimaryKey: "app"))
        #expect(app.dependencies.map(\.name) == ["base"] && app.dependencyCount == 1)
        #expect(app.recommends.isEmpty)
        #expect(app.relations.map(\.name) == ["lib", "base", "lib-data", "lib"])
        let ann = try snapshot.object(ofType: Maintainer.self, forPrimaryKey: "ann@example.org")
        #expect(ann?.packageCount == 2 && ann?.installedBytes == 20 * 1024)
      }
      #expect(try catalogue.closure(of: "app")?.unmet == ["lib", "lib-data"])
      #expect(
        try await catalogue.store(records) == ImportCounts(added: 2, updated: 1, unchanged: 1, links: 15)
      )
      #expect(try catalogue.removal(ofMaintainer: "t@example.org") == preview)
      #expect(try catalogue.closure(of: "app")?.unmet == [])
      #expect(try await catalogue.store(records) == ImportCounts(unchanged: 4))
    }
  }

  @Test("A section with packages stays, and a source takes its packages along", arguments: StoreKind.allCases)
  func rules(kind: StoreKind) async throws {
    try await withFreshStores(kind) {
      _ = try await catalogue.store([
        try package("lib", "Section: libs", "Source: upstream"),
        try package("lib-dev", "Section: devel", "Source: upstream", "Depends: lib"),
      ])
      let error = await #expect(throws: FiefError.self) { try await catalogue.removeSection("libs") }
      #expect(error?.code == .deletionDenied)
      #expect(error?.type == "Section" && error?.property == "packages")
      try await catalogue.write { tx in
        tx.objects(Source.self).first.map { source in #expect(source.packages.count == 2) }
        try tx.delete(tx.objects(Source.self))
      }
      #expect(try catalogue.count(Package.self) == 0)
      try await catalogue.removeSection("libs")
      try await catalogue.removeSection("unheard-of")
      #expect(try catalogue.largestSections(9).isEmpty)
    }
  }

  @Test("Counts follow every change of what is counted", arguments: StoreKind.allCases)
  func counts(kind: StoreKind) async throws {
    try await withFreshStores(kind) {
      _ = try await catalogue.store([
        try package("a", "Depends: c, d"), try package("b", "Depends: c"), try package("c"),
      ])
      #expect(try catalogue.mostNeeded(9).map { "\($0.name) \($0.count)" } == ["c 2", "d 1"])
      _ = try await catalogue.store([try Fixtures.package("a", "2", ["Depends: d"])])
      #expect(try catalogue.mostNeeded(9).map { "\($0.name) \($0.count)" } == ["c 1", "d 1"])
      #expect(try catalogue.interestingPackages().count == 1)
      try await catalogue.write { tx in
        let c = try #require(try tx.object(ofType: Package.self, forPrimaryKey: "c"))
        c.dependents.removeAll()
        #expect(c.dependentsCount == 0)
      }
      #expect(try catalogue.mostNeeded(9).map { "\($0.name) \($0.count)" } == ["d 1"])
    }
  }
}
