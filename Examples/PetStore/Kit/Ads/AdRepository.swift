import Fief
import Foundation
import PetStoreMigrations

/// The store of advertisement counters: in memory, since they are not needed after the process.
package final class AdRepository: DatabaseConfigurable, Sendable {
  private let identifier: String

  package var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
  package var schemaName: String? { "ads" }
  package var schemaVersion: UInt64? { MigrationPlan.ads.version }
  package var objectTypes: [Object.Type]? { [AdCounter.self] }
  package var embeddedObjectTypes: [EmbeddedObject.Type]? { nil }
  package var migrationPlan: MigrationPlan? { .ads }
  package var storeOptions: StoreOptions { .keepingUsage }

  /// Describes a store of the process; the same identifier is the same store until it is closed.
  package init(identifier: String) {
    self.identifier = identifier
  }

  /// Counts one showing, and the click if there was one; the first makes the counter.
  func count(
    market: String,
    place: String,
    clicked: Bool,
    cost: Decimal = 0,
    endsAt: Date
  ) async throws {
    try await write { tx in
      if let counter = try tx.object(ofType: AdCounter.self, forPrimaryKey: [market, place]) {
        counter.impressions += 1
        counter.clicks += clicked ? 1 : 0
        counter.cost += cost
      } else {
        let counter = AdCounter()
        counter.market = market
        counter.place = place
        counter.impressions = 1
        counter.clicks = clicked ? 1 : 0
        counter.cost = cost
        counter.endsAt = endsAt
        try tx.add(counter, update: .error)
      }
    }
  }

  /// All showings and clicks together.
  func totals() throws -> (impressions: Int, clicks: Int) {
    try read { snapshot in
      snapshot.objects(AdCounter.self).reduce((impressions: 0, clicks: 0)) { sum, counter in
        (impressions: sum.impressions + counter.impressions, clicks: sum.clicks + counter.clicks)
      }
    }
  }

  /// Deletes the counters whose campaigns have ended.
  ///
  /// - Returns: their number.
  func sweep(at now: Date) async throws -> Int {
    try await write { tx in
      let expired = Array(tx.objects(AdCounter.self).where { $0.endsAt <= now })
      for counter in expired { try tx.delete(counter) }
      return expired.count
    }
  }
}
