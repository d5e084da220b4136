import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefLog

extension LogSuites {
  @Suite struct TraceTests {
    struct Failure: Error {}

    @Test func traceOfAClosureThatThrowsIsStoppedAndFailed() async throws {
      let fixture = try StoreFixture(UsageStores.repository(), .inMemory)
      let store = fixture.store()
      #expect(throws: Failure.self) { try store.traced("fetch") { throw Failure() } }
      await #expect(throws: Failure.self) {
        try await store.traced("fetch") {
          await Task.yield()
          throw Failure()
        }
      }
      let seven = await store.traced("fetch") {
        await Task.yield()
        return 7
      }
      #expect(seven == 7)
      let summary = try #require(store.traces(named: "fetch"))
      #expect(summary.count == 3 && summary.failures == 2)
      #expect(store.traces(named: "other") == nil)
    }

    @Test func percentilesAreThoseOfTheDurations() throws {
      let table = TraceTable(store: nil)
      for duration in (1...100).shuffled() {
        table.add("t", .milliseconds(duration), isFailure: duration > 90)
      }
      #expect(
        table.summary("t")
          == TraceSummary(
            count: 100,
            failures: 10,
            p50: .milliseconds(50),
            p95: .milliseconds(95),
            greatest: .milliseconds(100)
          )
      )
    }

    @Test func stopsOnceWithWhatItHas() throws {
      let table = TraceTable(store: "pets")
      let now = Lock(ContinuousClock.now)
      table.measure { now.withLock { $0 } }
      let trace = StoreTrace(String(repeating: "n", count: 50), in: table)
      trace["cache"] = "hit"
      trace["long"] = String(repeating: "x", count: 200)
      trace.increment("rows", by: 3)
      trace.increment("rows", by: .max)
      for number in 0..<100 { trace["attribute\(number)"] = "a" }
      now.withLock { $0 += .seconds(2) }
      trace.stop()
      now.withLock { $0 += .seconds(2) }
      trace.stop(.failed(Failure()))
      #expect(trace.name.count == 40 && trace.duration == .seconds(2))
      #expect(trace["cache"] == "hit" && trace["long"]?.count == 100 && trace.attributes.count == 25)
      #expect(trace.numbers == ["rows": .max])
      #expect(table.summary(trace.name)?.count == 1 && table.summary(trace.name)?.failures == 0)
    }

    @Test func entryOfATraceHasItsValuesAsFields() throws {
      let ring = LogSink.ring(10)
      let (level, sinks) = (StoreLog.minimumLevel, StoreLog.sinks)
      defer { (StoreLog.minimumLevel, StoreLog.sinks) = (level, sinks) }
      StoreLog.minimumLevel = .debug
      StoreLog.sinks = [ring]
      let trace = StoreTrace("fetch", in: TraceTable(store: "pets"))
      trace["user"] = "s3cret"
      trace.increment("rows", by: 3)
      trace.increment("user", by: 7)
      trace.stop()
      let entry = try #require(ring.entries.first)
      #expect(entry.fields == ["user": "s3cret", "rows": 3, "user#": 7])
      #expect(entry.message.hasPrefix("fetch: ") && !entry.text.contains("s3cret"))
      #expect(entry.text.hasSuffix("{rows: <int>, user: <string>, user#: <int>}"))
    }

    @Test func storeInMemoryThatIsOpenedAgainHasItsTraces() throws {
      for identifier in [UUID().uuidString, nil] {
        let repository = MemoryRepository(identifier: identifier)
        repository.store().trace("fetch").stop()
        repository.store().close()
        #expect(repository.store().traces(named: "fetch")?.count == 1)
        repository.store().close()
      }
    }

    private struct MemoryRepository: DatabaseConfigurable {
      let identifier: String?
      var realmMemoryType: RealmMemoryType { .inMemory(identifier: identifier) }
      let schemaName: String? = "traced"
      let schemaVersion: UInt64? = 1
      let objectTypes: [Object.Type]? = [UsageOwner.self, UsageDog.self]
      let embeddedObjectTypes: [EmbeddedObject.Type]? = nil
    }

    @Test func tablesOfManyStoresAreNotAllKept() {
      var tables = TraceTables()
      func table(_ number: Int) -> TraceTable {
        tables.table("store \(number)") { TraceTable(store: "\(number)") }
      }
      let (first, second) = (table(0), table(1))
      for number in 2..<TraceTables.limit { _ = table(number) }
      #expect(table(0) === first)
      _ = table(TraceTables.limit)
      #expect(table(0) === first && table(1) !== second)
    }

    @Test func nameOfARequestHasItsWholePath() throws {
      let path = "/api/v1/organizations/\(UUID().uuidString)/users/\(UUID().uuidString)/orders"
      let url = try #require(URL(string: "https://api.petstore.example\(path)?token=secret"))
      let metric = HTTPMetric(url: url, method: "DELETE")
      metric.start()
      metric.stop()
      #expect(metric.name == "DELETE api.petstore.example\(path)")
      #expect(HTTPMetric.summary(named: metric.name)?.count == 1)
      let long = try #require(URL(string: "https://host/" + String(repeating: "a", count: 500)))
      #expect(HTTPMetric(url: long, method: "GET").name.count == 200)
    }

    @Test func requestsAreCountedWithoutSecrets() throws {
      let path = UUID().uuidString.prefix(8)
      let url = try #require(URL(string: "https://me:pw@host/\(path)?token=secret#part"))
      for code in [200, 404, nil] {
        let metric = HTTPMetric(url: url, method: "get")
        metric.start()
        metric.responseCode = code
        metric.responseBytes = 10
        metric.stop()
        metric.stop()
        #expect(metric.name == "GET host/\(path)")
      }
      let summary = try #require(HTTPMetric.summary(named: "GET host/\(path)"))
      #expect(summary.count == 3 && summary.failures == 2)
    }

    @Test func requestThatBeginsAgainHasNoResponseOfTheOneBefore() throws {
      let url = try #require(URL(string: "https://host/\(UUID().uuidString.prefix(8))"))
      let metric = HTTPMetric(url: url, method: "GET")
      metric.start()
      metric.responseCode = 200
      metric.stop()
      #expect(metric.responseCode == 200)
      metric.start()
      metric.stop()
      #expect(HTTPMetric.summary(named: metric.name)?.failures == 1)
    }
  }
}
