import Fief
import Foundation
import Testing

@testable import FiefLog

extension LogSuites {
  /// Log files that are exchanged, or cannot be.
  @Suite struct LogFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory["app.log"]
    }

    /// Logs entries with their numbers to sinks.
    private func log(_ numbers: Range<Int>, to sinks: [LogSink], length: Int = 40) {
      let (level, former) = (StoreLog.minimumLevel, StoreLog.sinks)
      defer { (StoreLog.minimumLevel, StoreLog.sinks) = (level, former) }
      StoreLog.minimumLevel = .debug
      StoreLog.sinks = sinks
      for number in numbers {
        StoreLog.log(.info, "number \(number) \(String(repeating: "x", count: length))")
      }
    }

    /// The numbers of the whole lines of a file, in their order.
    private func numbers(_ path: String, length: Int = 40) throws -> [Int] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard let text = words.last, text.count == length, text.allSatisfy({ $0 == "x" }) else { return nil }
        return words.firstIndex(of: "number").flatMap { Int(words[$0 + 1]) }
      }
    }

    @Test func lockThatCannotBeOpenedLosesNothing() throws {
      try FileManager.default.createDirectory(atPath: path + ".lock", withIntermediateDirectories: false)
      let sink = LogSink.file(path, maximumBytes: 1_024)
      log(0..<100, to: [sink])
      #expect(try numbers(path) == Array(0..<100))
      // The next entry behind the failure finds another file.
      try FileManager.default.removeItem(atPath: path + ".lock")
      log(100..<101, to: [sink])
      #expect(try numbers(path) == [100])
      #expect(try numbers(path + ".1") == Array(0..<100))
    }

    @Test(.timeLimit(.minutes(20))) func lockOfAProcessThatIsStoppedKeepsNoOtherWaiting() throws {
      let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(lock) }
      // A lock of an open file conflicts with those of this process too.
      try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
      let sink = LogSink.file(path, maximumBytes: 1_024)
      log(0..<100, to: [sink])
      #expect(try numbers(path) == Array(0..<100))
      #expect(flock(lock, LOCK_UN) == 0)
      log(100..<101, to: [sink])
      #expect(try numbers(path) == [100])
      #expect(try numbers(path + ".1") == Array(0..<100))
    }

    @Test func fileWhoseNextNameIsTakenKeepsItsOwn() throws {
      let sink = LogSink.file(path, maximumBytes: 1_024, kept: 2)
      log(0..<15, to: [sink])
      let first = try numbers(path + ".1")
      #expect(!first.isEmpty)
      // What is no file cannot be replaced by one.
      try FileManager.default.createDirectory(atPath: path + ".2", withIntermediateDirectories: false)
      log(15..<100, to: [sink])
      #expect(try numbers(path + ".1") == first)
      #expect(try first + numbers(path) == Array(0..<100))
      try FileManager.default.removeItem(atPath: path + ".2")
      log(100..<101, to: [sink])
      #expect(try numbers(path + ".2") == first)
      #expect(try first + numbers(path + ".1") + numbers(path) == Array(0...100))
    }

    @Test func entriesOfTwoProcessesAreAllInTheirFiles() throws {
      let count = 1_000
      let children = try (0..<2).map { try CrashChild("log", path, "\($0 * count)", "\(count)") }
      for child in children { #expect(child.finish().end == .exited(0)) }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      let files = names.filter { $0.hasPrefix("app.log") && !$0.hasSuffix(".lock") }
      #expect(files.count > 5)
      var all: [Int] = []
      for file in files {
        let text = try String(contentsOfFile: directory[file], encoding: .utf8)
        let lines = text.split(separator: "\n")
        let numbers = try numbers(directory[file])
        // Every line is whole.
        #expect(text.hasSuffix("\n") && numbers.count == lines.count, "\(file)")
        all += numbers
      }
      #expect(all.sorted() == Array(0..<(2 * count)))
    }

    #if os(Linux)
      @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system is not permitted"))
      func lineThatWasCutByAFullDiskIsALineOfItsOwn() throws {
        let disk = try #require(SmallDisk(kilobytes: 64))
        let path = disk.directory["app.log"]
        let filler = disk.directory["filler"]
        try Data(count: 40 << 10).write(to: URL(filePath: filler))
        let sink = LogSink.file(path)
        // Lines that do not end with a page, so that the last one fits in part.
        log(0..<100, to: [sink], length: 1_000)
        let before = try numbers(path, length: 1_000)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(before.count > 5 && before.count < 100 && !text.hasSuffix("\n"))
        // A removed file would keep its space while a process that is being started has it open.
        #expect(truncate(filler, 0) == 0)
        log(100..<103, to: [sink], length: 1_000)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        // One line is torn, and none is mixed with another one.
        #expect(lines.count == before.count + 1 + 3)
        #expect(lines.allSatisfy { $0.count { $0 == "[" } <= 1 })
        #expect(try numbers(path, length: 1_000).suffix(3) == [100, 101, 102])
      }
    #endif

    @Test func handlerThatLogsIsNotCalledForThat() {
      let ring = LogSink.ring(100)
      let calls = Lock(0)
      let handler = LogSink.handler { entry in
        calls.withLock { $0 += 1 }
        StoreLog.log(.warning, "from the handler of \(entry.message)")
      }
      log(0..<3, to: [handler, ring], length: 1)
      #expect(calls.withLock { $0 } == 3)
      // The other sinks have what it has logged.
      #expect(
        ring.entries.map(\.message).filter { $0.hasPrefix("from") }.count == 3 && ring.entries.count == 6
      )
    }
  }
}
