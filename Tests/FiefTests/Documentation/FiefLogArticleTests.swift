import Fief
import FiefLog
import FiefTesting
import Foundation
import Testing

extension LogSuites {
  /// The code of the catalogue of `FiefLog`.
  @Suite(.freshStores) struct FiefLogArticleTests {
    final class User: Object {
      @Persisted(primaryKey: true) var id = 0
    }

    // Documentation: begin events
    struct LoggedRepository: DatabaseConfigurable {
      let schemaName: String? = "logged"
      let schemaVersion: UInt64? = 1
      let objectTypes: [Object.Type]? = [User.self, StoredEvent.self]

      var storeOptions: StoreOptions {
        var options = StoreOptions()
        options.eventHandler = StoreLog.eventHandler
        options.slowQueryThreshold = 0.05
        return options
      }
    }
    // Documentation: end events

    private func withOwnLog(_ body: () throws -> Void) rethrows {
      let (level, sinks) = (StoreLog.minimumLevel, StoreLog.sinks)
      defer { (StoreLog.minimumLevel, StoreLog.sinks) = (level, sinks) }
      try body()
    }

    @Test func entriesGoToSinks() throws {
      let logFile = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())").path
      defer { try? FileManager.default.removeItem(atPath: logFile) }
      let count = 3
      withOwnLog {
        // Documentation: begin log
        StoreLog.minimumLevel = .info
        StoreLog.sinks = [.standardError, .file(logFile, maximumBytes: 10 << 20)]
        // INFO [UserManager.swift:42 fetch(id:)] - fetched 3 users
        StoreLog.log(.info, "fetched \(count) users")
        // Documentation: end log
        // Documentation: begin ring
        let recent = LogSink.ring(1_000)
        StoreLog.sinks = [.standardError, recent]
        for entry in recent.entries { print(entry.date, entry.text) }
        // Documentation: end ring
      }
      #expect(
        try String(contentsOfFile: logFile, encoding: .utf8).contains("entriesGoToSinks()] - fetched 3 users")
      )
    }

    @Test func workIsMeasured() throws {
      let store = LoggedRepository().store()
      // Documentation: begin trace
      let users = try store.traced("fetch_users") { try store.objects(User.self).all() }

      let trace = store.trace("fetch_user_profile")
      trace["cache"] = "hit"
      trace.increment("rows", by: users.count)
      trace.stop()

      if let summary = store.traces(named: "fetch_users") {
        print(summary.count, summary.failures, summary.p50, summary.p95, summary.greatest)
      }
      // Documentation: end trace
      #expect(store.traces(named: "fetch_users")?.count == 1)
    }

    @Test func eventsAreKept() async throws {
      let repository = LoggedRepository()
      let store = repository.store()
      // Documentation: begin stored
      try store.log(event: "reward_redeemed", ["points_used": 10, "reward_type": "free_coffee"])
      let redeemed = store.objects(StoredEvent.self).where { $0.name == "reward_redeemed" }
      print(redeemed.count)
      // Once in a while: those of more than thirty days go.
      while try await store.sweepEvents(olderThan: 30 * 86_400) == 1_000 {}
      // Documentation: end stored
      #expect(redeemed.count == 1)
    }

    @Test func theCatalogueShowsIt() throws {
      try ArticleCode.expectSame("FiefLog", of: "FiefLog", as: #filePath)
    }
  }
}
