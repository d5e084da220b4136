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
