import Foundation
import LMDB
import TestEffort
import Testing

extension CommitWatcherTests {
  @Suite(.serialized, .timeLimit(.minutes(20))) struct WatchedFileTests {
    let scratch = Scratch()
    let threads = WatcherThreads()
    var path: String { scratch["store"] }

    private func open(growthTimeout: Duration = .seconds(10)) throws -> (LMDB.Environment, Database) {
      var options = EnvironmentOptions.small()
      options.growthTimeout = growthTimeout
      let environment = try LMDB.Environment.open(directory: path, options: options)
      return (environment, try environment.database("items"))
    }

    @Test func startingAndStoppingLeavesNothing() throws {
      let (environment, items) = try open()
      for number in 0..<TestEffort.count(100, more: 1_000) {
        let watcher = CommitWatcher(environment, threadName: threads.name)
        try watcher.start { _ in }
        if number % 10 == 0 { try environment.write { try $0.put(items, "key", "\(number)") } }
        // One that is only released ends too.
        if number % 3 != 0 { watcher.stop() }
      }
      #expect(eventually { threads.count == 0 })
      environment.close()
    }

    @Test func theEndOfTheEnvironmentIsTheEndOfWatching() throws {
      let (environment, items) = try open()
      let watcher = CommitWatcher(environment, threadName: threads.name)
      try watcher.start { _ in }
      try environment.write { try $0.put(items, "key", "value") }
      environment.close()
      watcher.stop()
      #expect(code { _ = try watcher.start { _ in } } == .environmentClosed)
      #expect(eventually { threads.count == 0 })
    }

    enum Fate: String, CaseIterable {
      case fileDeleted, fileMoved, fileReplaced, directoryDeleted, directoryMoved
    }

    @Test(arguments: Fate.allCases.map { ($0, true) } + [(.fileReplaced, false), (.directoryDeleted, false)])
    func theLossOfTheFileIsTold(fate: Fate, mayUseEvents: Bool) throws {
      let (environment, items) = try open()
      defer { environment.close() }
      let watcher = CommitWatcher(environment, mayUseEvents: mayUseEvents, threadName: threads.name)
      let sightings = Sightings()
      try watcher.start(sightings.handler(of: environment))
      let data = path + "/data.mdb"
      switch fate {
      case .fileDeleted: #expect(unlink(data) == 0)
      case .fileMoved: #expect(rename(data, scratch["moved"]) == 0)
      case .fileReplaced:
        try FileManager.default.copyItem(atPath: data, toPath: scratch["other"])
        #expect(rename(scratch["other"], data) == 0)
      case .directoryDeleted: Scratch.remove(path)
      case .directoryMoved: #expect(rename(path, scratch["elsewhere"]) == 0)
      }
      #expect(eventually { sightings.hasRemoval })
      // An open environment goes on, and its commits are seen.
      var last: UInt64 = 0
      try environment.write { transaction in
        try transaction.put(items, "key", "value")
        last = transaction.id
      }
      #expect(eventually { sightings.newest == last })
      watcher.stop()
      #expect(sightings.all.count { $0 == .removed } == 1)
    }

    @Test func aCommitThatNeedsALargerMapIsTold() throws {
      let (environment, items) = try open()
      let watcher = CommitWatcher(environment, threadName: threads.name)
      let sightings = Sightings()
      try watcher.start(sightings.handler(of: environment))
      let before = try environment.statistics().mapSize
      #expect(try Child("grow", path, "4000").finish().count == 1)
      let newest = try environment.statistics()
      #expect(newest.mapSize > before)
      #expect(eventually { sightings.newest == newest.lastTransaction })
      #expect(try environment.read { try $0.count(items) } == 4000)
      watcher.stop()
      environment.close()
    }

    /// Following the growth takes the writer's lock, which the one who stops has. Waiting would end with the time limit.
    @Test func stoppingInsideOfTransactionsDoesNotWaitForTheMap() throws {
      let (environment, items) = try open(growthTimeout: .seconds(3600))
      for isWriting in [true, false] {
        let watcher = CommitWatcher(environment, threadName: threads.name)
        try watcher.start { _ in }
        let before = try environment.statistics().mapSize
        let size = before / 1024 * 3
        if isWriting {
          try environment.write { transaction in
            try transaction.put(items, "key", "value")
            watcher.stop()
          }
        } else {
          try environment.read { _ in
            let lines = try Child("grow", path, "\(size)").finish()
            #expect(lines.count == 1)
            usleep(20_000)
            watcher.stop()
          }
        }
      }
      environment.close()
    }
  }
}
