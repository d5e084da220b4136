import Fief
import FiefConsole
import Foundation

/// Follows a store: compares each new state with the previous one and prints the differences.
final class WatchSession {
  private let context: ToolContext
  private var store: DynamicStore
  private let version: UInt64
  private let types: [DynamicType]
  private let parts: [WatchedType]
  private let bell = WatchBell()
  private var watch: DynamicWatch?
  private var last: UInt64 = 0

  /// Thrown when the user interrupts a comparison.
  private struct Interrupted: Error {}

  init(_ context: ToolContext, _ store: DynamicStore, _ parts: [WatchedType]) {
    self.context = context
    self.store = store
    self.parts = parts
    version = store.schemaVersion
    types = store.types
  }

  /// - Parameters:
  ///   - most: the number of sets of changes after which the session ends.
  ///   - deadline: the time at which the session ends.
  func run(most: Int, until deadline: ContinuousClock.Instant?) throws {
    context.streams.watchForInterrupts()
    defer {
      watch?.stop()
      store.close()
    }
    do { try follow(most, deadline) } catch is Interrupted {}
  }

  private func follow(_ most: Int, _ deadline: ContinuousClock.Instant?) throws {
    // The watch begins before the first read, so that no commit is missed in between.
    try begin()
    _ = try look(isStart: true)
    say()
    var sets = 0
    while sets < most {
      switch bell.wait(until: deadline, isInterrupted: context.streams.isInterrupted) {
      case .over: return
      case .removed: throw Self.removed
      case .commit:
        let start = ContinuousClock.now
        if try look(isStart: false) { sets += 1 }
        // Limits reading to half of the time, for a large store that is written to continuously.
        if sets < most { Thread.sleep(forTimeInterval: min((.now - start) / .seconds(1), 1)) }
      }
    }
  }

  private func begin() throws {
    let bell = bell
    watch = try store.watch { bell.ring($0) }
  }

  private func say() {
    let console = context.io.error
    console.line("Watching \(Format.printable(store.name)) from commit \(last). Ctrl-C ends it.")
    guard watch?.isPolling == true else { return }
    console.line("The system cannot report changes here: the store is checked every second.")
  }

  /// - Returns: whether anything has changed.
  private func look(isStart: Bool) throws -> Bool {
    for _ in 0..<10 {
      if store.isOutdated { try reopen() }
      do { return try lookOnce(isStart: isStart) } catch {
        // Another process has begun to write to a store that had no lock table, so pages may have changed
        // during the read.
        guard store.isOutdated else { throw error }
      }
    }
    return try lookOnce(isStart: isStart)
  }

  private func reopen() throws {
    watch?.stop()
    store.close()
    store = try context.open(store.directory, .quick)
    try begin()
  }

  private func lookOnce(isStart: Bool) throws -> Bool {
    let spool = ChangeSpool()
    let found = try store.read { snapshot -> (commit: UInt64, looks: [WatchedType.Look])? in
      guard isStart || snapshot.commit != last else { return nil }
      guard snapshot.schemaVersion == version, snapshot.types == types else {
        throw Self.migrated(from: version, to: snapshot.schemaVersion)
      }
      var looks = try parts.map { try $0.look(at: snapshot) }
      try write(snapshot, isStart: isStart, &looks, to: spool)
      return (snapshot.commit, looks)
    }
    guard let found else { return false }
    last = found.commit
    for (part, look) in zip(parts, found.looks) { part.accept(look) }
    // Written after the read, so that a slow reader of the output does not keep pages of the store.
    try spool.forEach { try context.streams.writeOutput($0) }
    return found.looks.contains { !$0.changes.isEmpty }
  }

  private func write(
    _ snapshot: DynamicSnapshot,
    isStart: Bool,
    _ looks: inout [WatchedType.Look],
    to spool: ChangeSpool
  ) throws {
    guard looks.contains(where: { !$0.changes.isEmpty }) else { return }
    let isShown = !isStart || context.invocation.has("initial")
    let lines = ChangeLines(
      isJSON: context.isJSON,
      console: context.output,
      commits: (isStart ? snapshot.commit : min(last + 1, snapshot.commit))...snapshot.commit,
      time: DateText.stamp(.now),
      isStart: isStart
    )
    var sink = LineSink { try spool.write($0) }
    if isShown, let heading = lines.heading(zip(parts, looks).map { ($0.type, $1) }) {
      try sink.append([UInt8]((heading + "\n").utf8))
    }
    for (index, part) in parts.enumerated() {
      var seen = 0
      // If objects are not shown, they are read only as long as they can be cached.
      for change in looks[index].changes where isShown || part.hasRoom(besides: looks[index]) {
        seen += 1
        if seen % 256 == 0, context.streams.isInterrupted() { throw Interrupted() }
        let line = try part.line(for: change, &looks[index], lines, snapshot)
        if isShown, let line { try sink.append([UInt8]((line + "\n").utf8)) }
      }
    }
    try sink.flush()
  }
}

extension WatchSession {
  fileprivate static var removed: ToolFailure {
    ToolFailure(
      .notFound,
      code: "notFound",
      "The store was deleted, moved or replaced while it was watched.",
      next: "Start again with an existing store.",
      isChanged: nil
    )
  }

  fileprivate static func migrated(from old: UInt64, to new: UInt64) -> ToolFailure {
    ToolFailure(
      .failed,
      code: FiefError.Code.schemaChanged.rawValue,
      "Another program migrated the store while it was watched: its version changed from \(old) to \(new).",
      next: "Start again; types and properties may have new names, which 'fief schema' shows.",
      isChanged: nil
    )
  }
}
