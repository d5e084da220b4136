import Fief
import FiefTesting
import Foundation
import PetStoreMigrations
import Testing

@testable import PetStoreKit

/// The application keeps its counters in memory; the same plan is tried on files.
@Suite("Old stores of advertisements") struct AdsMigrationTests {
  private func repository(in directory: String) -> TestRepository {
    let ads = AdRepository(identifier: "never opened")
    return TestRepository(
      "ads",
      in: directory,
      version: ads.schemaVersion,
      objectTypes: ads.objectTypes,
      migration: ads.migrationBlock
    )
  }

  private func contents(of ads: TestRepository) throws -> [String] {
    try ads.read { snapshot in
      snapshot.objects(AdCounter.self).map { counter in
        "\(counter.market)|\(counter.place) \(counter.impressions) \(counter.clicks) \(counter.cost) "
          + Words.seconds(counter.endsAt)
      }
    }
  }

  @Test("Version 1 to 3", arguments: FixtureStores.Way.allCases)
  func first(way: FixtureStores.Way) throws {
    try FixtureStores.with("ads", version: 1) { directory in
      try FixtureStores.prepare(way, "ads", AdsVersion2.self, in: directory)
      let ads = repository(in: directory)
      defer { ads.close() }
      try FixtureStores.check(ads, version: 3)
      let expected = [
        "| 9223372036854775807 0 0 0.0", "|Größe 日本 1 1 0 1.0", "|plain 3 3 0 -86400.0",
        "CHF|side/left 5 1 0 1000000000.0", "EUR|thanks 7 0 0 600.0", "EUR|top 1000 10 0 600.0",
        "JPY|top 0 0 0 0.5",
      ]
      Words.expect(try contents(of: ads), expected)
      let found = try ads.read { snapshot in
        try snapshot.object(ofType: AdCounter.self, forPrimaryKey: ["EUR", "top"])?.impressions
      }
      #expect(found == 1000)
    }
  }

  @Test("Version 2 to 3")
  func third() throws {
    try FixtureStores.with("ads", version: 2) { directory in
      let ads = repository(in: directory)
      defer { ads.close() }
      try FixtureStores.check(ads, version: 3)
      let expected = [
        "| 2 5 0 5000000.0", "|plain 9223372036854775807 3 0 3000000.0", "EUR|side 1 1 0 1000000.0",
        "EUR|top 1000 0 0 0.0", "JPY|top 0 2 0 2000000.0", "größe|日本/左 5 4 0 4000000.0",
      ]
      Words.expect(try contents(of: ads), expected)
    }
  }
}
