import Foundation
import LMDB
import Synchronization
import TestEffort
import Testing

/// The threads of each test's watchers have a name of their own, by which the test counts them.
@Suite(.serialized) struct CommitWatcherTests {
  let scratch = Scratch()
  let threads = WatcherThreads()
  var path: String { scratch["store"] }

  private func open(durability: Durability = .full) throws -> (LMDB.Environment, Database) {
    var options = EnvironmentOptions.small()
    options.durability = durability
    let environment = try LMDB.Environment.open(directory: path, options: options)
    return (environment, try environment.database("items"))
  }

  private func finish(_ environment: LMDB.Environment) {
    environment.close()
    #expect(eventually { threads.count == 0 })
  }

  @Test(arguments: [true, false])
  func commitsOfAnotherProcessAreSeen(mayUseEvents: Bool) throws {
    let (environment, items) = try open()
    let watcher = CommitWatcher(environment, mayUseEvents: mayUseEvents, threadName: threads.name)
    let sightings = Sightings()
    #expect(try watcher.start(sightings.handler(of: environment)) == (mayUseEvents ? .events : .polling))
    for count in [1, 1, 20] {
      let number = try #require(
        try Child("commit", path, "\(count)", "2000").finish().first.flatMap { UInt64($0) }
      )
      #expect(eventually { sightings.newest == number })
      #expect(try environment.read { try $0.text(items, "committed") }?.hasSuffix(" \(count - 1)") == true)
    }
    watcher.stop()
    #expect(sightings.unreadable == 0)
    #expect(sightings.overlapping == 0)
    #expect(!sightings.hasRemoval)
    finish(environment)
  }

  /// A commit is in the file before a reader sees it: a handler that is called too early gets no second call.
  @Test func theLastOfManyCommitsIsReadableWhenItIsTold() throws {
    let (environment, _) = try open(durability: .none)
    let watcher = CommitWatcher(environment, threadName: threads.name)
    for _ in 0..<4 {
      let sightings = Sightings()
      try watcher.start(sightings.handler(of: environment))
      let number = try #require(try Child("commit", path, "100", "0").finish().first.flatMap { UInt64($0) })
      #expect(eventually { sightings.newest == number })
      watcher.stop()
      #expect(sightings.unreadable == 0)
    }
    finish(environment)
  }

  @Test func ownCommitsAreSeenAndBurstsAreMerged() throws {
    let (environment, items) = try open(durability: .none)
    let watcher = CommitWatcher(environment, threadName: threads.name)
    let sightings = Sightings()
    try watcher.start(sightings.handler(of: environment))
    let start = ContinuousClock.now
    var last: UInt64 = 0
    for number in 0..<2000 {
      try environment.write { transaction in
        try transaction.put(items, "key", "\(number)")
        last = transaction.id
      }
    }
    #expect(eventually { sightings.newest == last })
    let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    #expect(Double(sightings.all.count) <= milliseconds / 3 + 2)
    watcher.stop()
    finish(environment)
  }

  @Test func aWriteThatChangesNothingIsNotTold() throws {
    let (environment, _) = try open()
    let watcher = CommitWatcher(environment, threadName: threads.name)
    let sightings = Sightings()
    try watcher.start(sightings.handler(of: environment))
    try environment.write { _ in }
    // The file is touched, but has no new commit.
    #expect(utimes(path + "/data.mdb", nil) == 0)
    usleep(100_000)
    #expect(sightings.all == [])
    watcher.stop()
    finish(environment)
  }

  @Test func aSlowHandlerHearsOfTheLastCommit() throws {
    let (environment, items) = try open(durability: .none)
    let watcher = CommitWatcher(environment, threadName: threads.name)
    let sightings = Sightings()
    try watcher.start(sightings.handler(of: environment) { usleep(100_000) })
    let start = ContinuousClock.now
    var last: UInt64 = 0
    for number in 0..<100 {
      try environment.write { transaction in
        try transaction.put(items, "key", "\(number)")
        last = transaction.id
      }
      usleep(1000)
    }
    #expect(eventually { sightings.newest == last })
    #expect(Double(sightings.all.count) <= (ContinuousClock.now - start) / .milliseconds(100) + 2)
    watcher.stop()
    #expect(sightings.overlapping == 0)
    finish(environment)
  }

  @Test func severalWatchersHearOfTheSameCommit() throws {
    let (environment, items) = try open()
    let watchers = (0..<5).map { _ in CommitWatcher(environment, threadName: threads.name) }
    let sightings = Sightings()
    for watcher in watchers { try watcher.start(sightings.handler(of: environment)) }
    try environment.write { try $0.put(items, "key", "value") }
    #expect(eventually { sightings.all.count >= 5 })
    for watcher in watchers { watcher.stop() }
    finish(environment)
  }

  @Test func nothingIsToldAfterStop() throws {
    let (environment, _) = try open()
    let child = try Child("write-forever", path)
    #expect(child.line() == "0")
    for _ in 0..<TestEffort.count(15, more: 50) {
      let watcher = CommitWatcher(environment, threadName: threads.name)
      let sightings = Sightings()
      let isOver = Flag()
      let late = Flag()
      try watcher.start(sightings.handler(of: environment) { if isOver.isSet { late.set() } })
      #expect(eventually { !sightings.all.isEmpty })
      watcher.stop()
      isOver.set()
      let count = sightings.all.count
      usleep(5000)
      #expect(sightings.all.count == count && !late.isSet)
      watcher.stop()
    }
    child.killNow()
    finish(environment)
  }

  @Test func theHandlerCanStopItsWatcher() throws {
    let (environment, items) = try open()
    let watcher = CommitWatcher(environment, threadName: threads.name)
    let sightings = Sightings()
    try watcher.start(sightings.handler(of: environment) { watcher.stop() })
    #expect(code { _ = try watcher.start { _ in } } == .incompatible)
    for number in 0..<10 {
      try environment.write { try $0.put(items, "key", "\(number)") }
      usleep(5000)
    }
    #expect(eventually { threads.count == 0 })
    #expect(sightings.all.count == 1)
    // And it can be started again.
    try watcher.start(sightings.handler(of: environment))
    try environment.write { try $0.put(items, "key", "again") }
    #expect(eventually { sightings.all.count == 2 })
    watcher.stop()
    finish(environment)
  }
}
