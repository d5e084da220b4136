import Fief
import Foundation
import PetStoreMigrations
import Testing

@testable import PetStoreKit

@Suite("Old stores of the catalogue") struct CatalogueMigrationTests {
  private func contents(of catalogue: CatalogueRepository) throws -> [String] {
    try catalogue.read { snapshot in
      let packages = snapshot.objects(Package.self).map { package in
        let links = [package.dependencies, package.recommends, package.provides].map {
          Words.list($0.map(\.name))
        }
        return "\(package.name) \(package.state) \(package.importance) \(package.source?.name ?? "-") "
          + "\(package.installedBytes) \(package.archiveSize) \(Words.text(package.homepage)) "
          + "\(Words.text(package.summary)) \(Words.text(package.section?.name)) "
          + "\(package.maintainer?.email ?? "-") \(Words.list(package.tags.map(\.name))) "
          + "\(links.joined(separator: " ")) \(Words.list(package.relations.map(words)))"
      }
      let sources = snapshot.objects(Source.self).map { source in
        "source \(source.name) \(Words.list(source.packages.map(\.name).sorted()))"
      }
      let sections = snapshot.objects(PetStoreKit.Section.self).map { section in
        "section \(Words.text(section.name)) \(section.area) \(Words.text(section.topic)) "
          + "\(section.packages.count)"
      }
      let tags = snapshot.objects(PetStoreKit.Tag.self).map { tag in
        "tag \(tag.name) \(Words.text(tag.facet)) \(Words.text(tag.value)) \(tag.packages.count)"
      }
      return Array(packages) + Array(sources) + Array(sections) + Array(tags)
    }
  }

  private func words(_ dependency: Dependency) -> String {
    let parts = [dependency.architecture, dependency.relation, dependency.version].map { $0 ?? "-" }
    return "\(dependency.kind)/\(dependency.clause)/\(dependency.name)/\(parts.joined(separator: "/"))"
  }

  @Test("Version 1 to 5", arguments: FixtureStores.Way.allCases)
  func first(way: FixtureStores.Way) throws {
    try FixtureStores.with("catalogue", version: 1) { directory in
      try FixtureStores.prepare(way, "catalogue", CatalogueVersion2.self, in: directory)
      let catalogue = CatalogueRepository(directory: directory)
      defer { catalogue.close() }
      try FixtureStores.check(catalogue, version: 5)
      let expected = [
        "awk mentioned optional - 0 0 - '' - - [] [] [] [] []",
        "bash available essential bash 7168000 2100000 - 'What bash is' - - [role::program] [libc6 awk] [] [] "
          + "[preDepends/0/libc6/-/>=/2.36 depends/0/awk/-/-/- depends/0/mawk/any/-/-]",
        "fonts-nötö available extra - 0 0 'https://例え.jp/フォント' 'Wuff! 犬は'…7800 'non-free/fonts' "
          + "jj@example.org [] [] [] [] []",
        "libc6 available optional glibc 13402112 3926400 - 'What libc6 is' 'libs' team@lists.example.org [] "
          + "[bash libc6] [] [] []",
        "mta mentioned optional - 0 0 - '' - - [] [] [] [] []",
        "odd available optional glibc 0 -300 - 'What odd is' '' - [game ::] [] [] [awk mta] "
          + "[provides/0/awk//=/1]",
        "python3 available important python3-defaults 92160 27000 '' 'What python3 is' 'libs' "
          + "team@lists.example.org [role::program works-with::3d::model role::program] [libc6] [mta bash] [] "
          + "[recommends/3/mta/native/<</]",
        "source bash [bash]",
        "source glibc [libc6 odd]",
        "source python3-defaults [python3]",
        "section '' main '' 1",
        "section 'libs' main 'libs' 2",
        "section 'non-free/fonts' non-free 'fonts' 1",
        "tag :: '' '' 1",
        "tag game '' 'game' 1",
        "tag role::program 'role' 'program' 2",
        "tag works-with::3d::model 'works-with' '3d::model' 1",
      ]
      Words.expect(try contents(of: catalogue), expected)
      let closure = try #require(try catalogue.closure(of: "bash"))
      #expect(closure.members.map(\.name) == ["bash", "libc6", "odd"])
      #expect(closure.unmet.isEmpty)
    }
  }

  @Test("Version 1 to 2: two properties become one, and one becomes two")
  func second() throws {
    try FixtureStores.with("catalogue", version: 1) { directory in
      let plan = MigrationPlan([CatalogueVersion2.self])
      let old = VersionRepository("catalogue", at: CatalogueVersion2.self, in: directory, plan: plan)
      defer { old.close() }
      try FixtureStores.check(old, version: 2)
      try old.read { snapshot in
        let packages = snapshot.objects(CatalogueVersion2.Package.self).map { package in
          "\(package.name) \(package.importance) \(package.source) \(package.installedSize) \(package.archiveSize)"
        }
        let expected = [
          "awk optional  0 0", "bash essential bash 7000 2100000", "fonts-nötö extra  0 0",
          "libc6 optional glibc 13088 3926400", "mta optional  0 0", "odd optional glibc -1 -300",
          "python3 important python3-defaults 90 27000",
        ]
        Words.expect(Array(packages), expected)
        let python = try snapshot.object(ofType: CatalogueVersion2.Package.self, forPrimaryKey: "python3")
        #expect(python?.relations.map(\.architecture) == ["native"])
      }
    }
  }

  @Test("Version 2 to 5")
  func third() throws {
    try FixtureStores.with("catalogue", version: 2) { directory in
      let catalogue = CatalogueRepository(directory: directory)
      defer { catalogue.close() }
      try FixtureStores.check(catalogue, version: 5)
      try catalogue.read { snapshot in
        let packages = snapshot.objects(Package.self).map { package in
          "\(package.name) \(package.importance) \(package.source?.name ?? "-") \(package.installedBytes) "
            + "\(package.archiveSize) \(package.dependencies.count) \(package.dependents.count) \(package.tags.count) "
            + "\(Words.text(package.homepage)) \(package.section?.area ?? "-")"
        }
        let expected = [
          "mentioned optional - 0 0 0 0 0 - -",
          "package-0 essential shared 0 0 0 5 1 - contrib",
          "package-1 required shared 1024 1000 1 4 1 'https://example.org/1' main",
          "package-2 important shared 29277184 2000 2 3 0 'https://example.org/2' main",
          "package-3 standard - 0 3000 3 2 0 'https://example.org/3' main",
          "package-4 optional önly-4 9223372036854775807 4000 4 1 0 'https://example.org/4' main",
          "package-5 extra önly-5 1125899906842624 5000 5 0 0 'https://example.org/5' main",
        ]
        Words.expect(Array(packages), expected)
        let last = try #require(try snapshot.object(ofType: Package.self, forPrimaryKey: "package-5"))
        #expect(Words.text(last.summary) == "'Wuff! 犬は'…7800")
        #expect(last.relations.first.map(words) == "preDepends/7/package-0/any/=/0~1")
        #expect(last.relations.count == 5)
        #expect(last.provides.map(\.name) == ["package-4"])
        let mentioned = try snapshot.object(ofType: Package.self, forPrimaryKey: "mentioned")
        #expect(mentioned?.recommends.map(\.name) == ["package-0"])
        let sources = snapshot.objects(Source.self).map { "\($0.name) \($0.packages.count)" }
        #expect(Array(sources) == ["shared 3", "önly-4 1", "önly-5 1"])
      }
    }
  }

  @Test("From version 3 and before: links under another name, counts and sums", arguments: 1...3)
  func fourth(version: UInt64) throws {
    try FixtureStores.with("catalogue", version: version) { directory in
      let catalogue = CatalogueRepository(directory: directory)
      defer { catalogue.close() }
      try FixtureStores.check(catalogue, version: 5)
      try catalogue.read { snapshot in
        var links = 0
        for package in snapshot.objects(Package.self) {
          #expect(package.dependencyCount == package.dependencies.count, "\(package.name)")
          #expect(package.dependentsCount == package.dependents.count, "\(package.name)")
          links += package.dependencyCount
        }
        #expect(links == snapshot.objects(Package.self).sum(of: \.dependentsCount))
        #expect(links > 0)
        for maintainer in snapshot.objects(Maintainer.self) {
          let packages = Array(maintainer.packages)
          #expect(maintainer.packageCount == packages.count)
          #expect(maintainer.installedBytes == packages.reduce(0) { $0.addingUpTo($1.installedBytes) })
          #expect(maintainer.searchName == maintainer.name.lowercased())
        }
      }
      guard version == 3 else { return }
      #expect(try catalogue.mostNeeded(9).map { "\($0.name) \($0.count)" } == ["awk 1", "libc6 1"])
      #expect(try catalogue.maintainers(called: "ÉQUIPE").map(\.email) == ["t@example.org"])
    }
  }

  @Test("Version 4 to 5: indexes that were never read")
  func fifth() throws {
    try FixtureStores.with("catalogue", version: 4) { directory in
      let catalogue = CatalogueRepository(directory: directory)
      defer { catalogue.close() }
      try FixtureStores.check(catalogue, version: 5)
      #expect(try catalogue.count(PackageIndex.self) == 0)
      #expect(try catalogue.count(Package.self) == 3 && catalogue.count(Maintainer.self) == 2)
      #expect(try catalogue.mostNeeded(9).map { "\($0.name) \($0.count)" } == ["awk 1", "libc6 1"])
    }
  }

  @Test("The rules hold in a store that was migrated")
  func rules() async throws {
    try await FixtureStores.with("catalogue", version: 3) { directory in
      let catalogue = CatalogueRepository(directory: directory)
      defer { catalogue.close() }
      let error = await #expect(throws: FiefError.self) {
        try await catalogue.removeSection("non-free/libs")
      }
      #expect(error?.code == .deletionDenied)
      #expect(try catalogue.removal(ofMaintainer: "t@example.org")?.packages == 1)
      #expect(try await catalogue.removeMaintainer("t@example.org") == 1)
      #expect(try catalogue.mostNeeded(9).isEmpty)
      try await catalogue.removeSection("non-free/libs")
      try FixtureStores.check(catalogue, version: 5)
    }
  }
}
