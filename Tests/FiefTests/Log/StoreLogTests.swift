import Fief
import FiefTesting
import Foundation
import Testing

@testable import FiefLog

extension LogSuites {
  @Suite struct StoreLogTests {
    /// Calls a closure with a log of its own.
    private func logging(_ level: LogLevel?, to sinks: [LogSink], _ body: () throws -> Void) rethrows {
      let (former, formerSinks) = (StoreLog.minimumLevel, StoreLog.sinks)
      defer { (StoreLog.minimumLevel, StoreLog.sinks) = (former, formerSinks) }
      StoreLog.minimumLevel = level
      StoreLog.sinks = sinks
      try body()
    }

    @Test func fiveLevelsAtFiveThresholdsAreFifteenEntries() {
      let ring = LogSink.ring(100)
      for threshold in LogLevel.allCases {
        logging(threshold, to: [ring]) {
          for level in LogLevel.allCases { StoreLog.log(level, "\(threshold) \(level)") }
        }
      }
      #expect(ring.entries.count == 15)
      var expected: [String] = []
      for threshold in LogLevel.allCases {
        for level in LogLevel.allCases where level >= threshold { expected.append("\(threshold) \(level)") }
      }
      #expect(ring.entries.map(\.message) == expected)
    }

    @Test func messageOfALevelThatIsNotLoggedIsNotMade() {
      let ring = LogSink.ring(10)
      var made = 0
      func message() -> String {
        made += 1
        return "made"
      }
      logging(.warning, to: [ring]) { StoreLog.log(.info, message()) }
      logging(nil, to: [ring]) { StoreLog.log(.fatal, message()) }
      #expect(made == 0 && ring.entries.isEmpty)
      logging(.info, to: [ring]) { StoreLog.log(.info, message()) }
      #expect(made == 1 && ring.entries.count == 1)
    }

    @Test func lineHasLevelPlaceAndMessage() {
      let ring = LogSink.ring(10)
      logging(.debug, to: [ring]) {
        StoreLog.log(.info, "message", file: "App/UserManager.swift", function: "fetch(id:)", line: 42)
        StoreLog.log(
          .error,
          "one\ntwo\u{1B}[31m",
          fields: ["token": "s3cret", "n": 3],
          file: "a.swift",
          function: "f()",
          line: 1
        )
      }
      #expect(
        ring.entries.map(\.text) == [
          "INFO [UserManager.swift:42 fetch(id:)] - message",
          #"ERROR [a.swift:1 f()] - one\ntwo\u{1b}[31m {n: <int>, token: <string>}"#,
        ]
      )
      #expect(ring.entries[1].fields["token"] == "s3cret")
    }

    @Test func eventsHaveNoPlaceAndMilliseconds() {
      let ring = LogSink.ring(10)
      let query = SlowQuery(type: "Dog", query: "", plan: "all objects", duration: .nanoseconds(28_713))
      logging(.debug, to: [ring]) {
        StoreLog.eventHandler(.slowQuery(store: "pets", query))
        StoreLog.log(.closed(store: "pets"), file: "App/Main.swift", function: "end()", line: 7)
      }
      #expect(
        ring.entries.map(\.text) == [
          "WARNING - pets: slow query of Dog, 0.029 ms: all - all objects",
          "INFO [Main.swift:7 end()] - pets: closed",
        ]
      )
      let texts = [.seconds(2), .nanoseconds(1_999_999_600), .microseconds(-1_500)].map(
        \Duration.milliseconds
      )
      #expect(texts == ["2000.000 ms", "2000.000 ms", "-1.500 ms"])
    }

    @Test func ringHasTheLastEntries() {
      let ring = LogSink.ring(1_000)
      logging(.debug, to: [ring]) { for number in 0..<1_500 { StoreLog.log(.debug, "\(number)") } }
      let expected: [String] = (500..<1_500).map { "\($0)" }
      #expect(ring.entries.map(\.message) == expected)
    }

    @Test func handlersGetEntriesWithTheirLabel() {
      let entries = Lock<[LogEntry]>([])
      logging(.debug, to: [.handler { entry in entries.withLock { $0.append(entry) } }]) {
        StoreUsage.withLabel("profile") { StoreLog.log(.info, "message", store: "pets") }
      }
      #expect(entries.withLock { $0.map(\.label) } == ["profile"])
      #expect(entries.withLock { $0.map(\.store) } == ["pets"])
      #expect(entries.withLock { $0.map(\.file) } == ["StoreLogTests.swift"])
    }

    @Test func fullFilesGetNumbersAndTheOldestGoes() throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())").path
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let path = directory + "/app.log"
      // Two sinks are as two processes.
      let sinks = [
        LogSink.file(path, maximumBytes: 4_096, kept: 2), .file(path, maximumBytes: 4_096, kept: 2),
      ]
      logging(.debug, to: []) {
        for number in 0..<200 {
          StoreLog.sinks = [sinks[number % 2]]
          StoreLog.log(.info, "number \(number) \(String(repeating: "x", count: 40))")
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
      #expect(names == ["app.log", "app.log.1", "app.log.2", "app.log.lock"])
      var numbers: [Int] = []
      for name in ["app.log.2", "app.log.1", "app.log"] {
        let path = "\(directory)/\(name)"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect((attributes[.size] as? Int ?? 0) <= 4_096)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") {
          let words = line.split(separator: " ")
          numbers.append(try #require(words.firstIndex(of: "number").flatMap { Int(words[$0 + 1]) }))
        }
      }
      // No line of the files that are left is missing, torn or there twice.
      #expect(numbers.last == 199 && numbers == Array((numbers.first ?? 0)...199))
    }

    /// A directory that is gone loses entries, and the file begins again when it is back.
    @Test func fileWhoseDirectoryComesBackGetsTheNextEntries() throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())").path
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let path = directory + "/app.log"
      func make() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      }
      try logging(.debug, to: [.file(path)]) {
        StoreLog.log(.info, "lost at first")
        try make()
        StoreLog.log(.info, "before")
        try FileManager.default.removeItem(atPath: directory)
        StoreLog.log(.info, "lost")
        try make()
        StoreLog.log(.info, "behind")
      }
      let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 1 && lines.first?.hasSuffix(" - behind") == true)
    }

    /// What is no file is refused for each entry, and not for the first one only.
    @Test func whatIsNoFileGetsNoEntry() throws {
      let directory = FileManager.default.temporaryDirectory.appending(path: "log-\(UUID())").path
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: directory) }
      let path = directory + "/pipe"
      #expect(mkfifo(path, 0o600) == 0)
      let reader = open(path, O_RDONLY | O_NONBLOCK)
      try #require(reader >= 0)
      defer { close(reader) }
      logging(.debug, to: [.file(path)]) { for _ in 0..<3 { StoreLog.log(.info, "lost") } }
      var byte: UInt8 = 0
      #expect(read(reader, &byte, 1) == 0)
    }

    @Test func eventsOfStoresAreEntries() throws {
      let ring = LogSink.ring(10)
      var options = StoreOptions()
      options.eventHandler = StoreLog.eventHandler
      options.slowQueryThreshold = 0.1
      let ticks = Lock(0)
      // Each look at the clock is 150 ms later than the one before.
      options.durationClock = {
        ticks.withLock { ticks in
          ticks += 150_000_000; return ticks
        }
      }
      options.slowCommitThreshold = nil
      let fixture = try StoreFixture(UsageStores.repository(options), .inMemory)
      try fixture.saveAndWait(entities: (0..<10).map(UsageStores.dog))
      try logging(.warning, to: [ring]) {
        let found = try fixture.store().objects(UsageDog.self).where { $0.name == "secret" || $0.age > 3 }
          .all()
        #expect(found.count == 6)
      }
      #expect(ring.entries.count == 1)
      let message = try #require(ring.entries.first?.message)
      #expect(message.contains("slow query of UsageDog, 150.000 ms:"))
      #expect(message.contains("name == <string> OR age > <integer>") && !message.contains("secret"))
      #expect(message.contains("of 10"))
    }
  }
}
