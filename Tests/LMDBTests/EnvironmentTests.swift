import Foundation
import LMDB
import Testing

@Suite struct EnvironmentTests {
  let scratch = Scratch()

  @Test func aSecondOpenIsTheSameEnvironment() throws {
    let first = try Environment.open(directory: scratch["store"], options: .small())
    let second = try Environment.open(directory: scratch.path + "/./store/", options: .small())
    #expect(first === second)
    let items = try first.database("items")
    first.close()
    #expect(!second.isClosed)
    try second.write { try $0.put(items, "a", "1") }
    second.close()
    #expect(second.isClosed)
    second.close()
    let third = try Environment.open(directory: scratch["store"], options: .small())
    defer { third.close() }
    #expect(third !== first)
    let again = try third.database("items")
    #expect(try third.read { try $0.text(again, "a") } == "1")
    #expect(code { _ = try third.read { try $0.text(items, "a") } } == .incompatible)
  }

  /// The second close of a second environment would drop LMDB's locks; then the table of readers is
  /// cleared by the next process, and this snapshot's pages are reused under it.
  @Test func anotherProcessRespectsASnapshotAfterASecondClose() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small(64 << 20))
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { transaction throws in
      for index in 0..<500 { try transaction.put(items, "\(index)", "old \(index)") }
    }
    let reader = try environment.beginRead()
    defer { environment.endRead(reader) }
    try Environment.open(directory: scratch["store"], options: .small()).close()
    for _ in 0..<5 {
      let child = try Child("grow", scratch["store"], "200")
      _ = child.finish()
      #expect(child.end == .exited(0))
    }
    for index in 0..<500 { #expect(try reader.text(items, "\(index)") == "old \(index)") }
    #expect(try environment.statistics().oldestReaderLag > 0)
  }

  @Test func concurrentOpensAgreeOnOne() throws {
    let path = scratch["store"]
    let opened = Opened()
    onThreads(8) { _ throws in
      for _ in 0..<20 {
        let environment = try Environment.open(directory: path, options: .small())
        opened.check(environment)
        try environment.read { _ = $0.id }
        environment.close()
      }
    }
    #expect(opened.overlapping == 0)
  }

  @Test func refusesAWeakerEnvironmentThanAskedFor() throws {
    try Environment.open(directory: scratch["store"], options: .small()).close()
    var reading = EnvironmentOptions.small()
    reading.isReadOnly = true
    let first = try Environment.open(directory: scratch["store"], options: reading)
    #expect(
      code { _ = try Environment.open(directory: scratch["store"], options: .small()) } == .openOtherwise
    )
    #expect(code { try first.write { _ in } } == .readOnly)
    first.close()
    var relaxed = EnvironmentOptions.small()
    relaxed.durability = .relaxed
    let second = try Environment.open(directory: scratch["store"], options: relaxed)
    #expect(
      code { _ = try Environment.open(directory: scratch["store"], options: .small()) } == .openOtherwise
    )
    second.close()
  }

  @Test func everythingAfterTheCloseIsAnError() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    let items = try environment.database("items")
    environment.close()
    #expect(code { try environment.read { _ = $0.id } } == .environmentClosed)
    #expect(code { _ = try environment.beginRead() } == .environmentClosed)
    #expect(code { try environment.write { try $0.put(items, "a", "b") } } == .environmentClosed)
    #expect(code { _ = try environment.openDatabases(["items"], create: false) } == .environmentClosed)
    #expect(code { _ = try environment.statistics() } == .environmentClosed)
    #expect(code { try environment.copy(to: scratch["copy"]) } == .environmentClosed)
    #expect(code { try environment.sync() } == .environmentClosed)
    #expect(environment.clearStaleReaders() == 0)
  }

  @Test func closeWaitsForReadersOfOtherThreads() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "a", "1") }
    let isReading = Flag()
    onThreads(2) { index throws in
      if index == 0 {
        try environment.read { transaction throws in
          isReading.set()
          while !environment.isClosed { usleep(200) }
          #expect(try transaction.text(items, "a") == "1")
          // A write in a read must not wait for the close, which waits for the read.
          #expect(code { try environment.write { try $0.put(items, "a", "2") } } == .environmentClosed)
          #expect(try transaction.text(items, "a") == "1")
        }
      } else {
        isReading.wait()
        environment.close()
        #expect(code { _ = try environment.beginRead() } == .environmentClosed)
      }
    }
  }

  @Test func closeInsideOfATransactionTakesEffectAtItsEnd() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    let items = try environment.database("items")
    try environment.write { transaction throws in
      environment.close()
      try transaction.put(items, "a", "1")
    }
    #expect(code { try environment.read { _ = $0.id } } == .environmentClosed)
    let second = try Environment.open(directory: scratch["store"], options: .small())
    #expect(second !== environment)
    let same = try second.database("items")
    try second.read { transaction throws in
      second.close()
      #expect(try transaction.text(same, "a") == "1")
      // Opened again before the close took effect: it is the same one and goes on.
      #expect(try Environment.open(directory: scratch["store"], options: .small()) === second)
    }
    #expect(try second.read { try $0.text(same, "a") } == "1")
    second.close()
  }

  @Test func descriptorsDoNotOutliveAnExec() throws {
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    defer { environment.close() }
    var seen = 0
    for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
      guard let target, target.hasPrefix(scratch.path), let number = Int32(descriptor) else { continue }
      seen += 1
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0, "\(target)")
    }
    #expect(seen >= 2)
  }

  @Test func aForkedChildIsRefusedAndDoesNotDisturbTheParent() throws {
    let child = try Child("fork", scratch["store"])
    #expect(child.finish() == ["child 0", "parent none", "write none"])
    #expect(child.end == .exited(0))
  }
}

/// Counts environments that were open at the same time without being the same.
final class Opened: @unchecked Sendable {
  // SAFETY: all state is guarded by the lock.
  private let lock = NSLock()
  private weak var last: Environment?
  private(set) var overlapping = 0

  func check(_ environment: Environment) {
    lock.withLock {
      if let last, last !== environment, !last.isClosed { overlapping += 1 }
      last = environment
    }
  }
}
