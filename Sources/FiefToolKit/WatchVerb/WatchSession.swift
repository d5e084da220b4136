import Fief
import FiefConsole
import Foundation

/// Follows a store: compares each new state with the previous one and prints the differences.
final class WatchSession {
  /// A new state of the store.
  struct State {
    let snapshot: DynamicSnapshot
    /// The commit of the previous state; `nil` at the start.
    let former: UInt64?

    var isStart: Bool { former == nil }

    /// The commits between the previous state and this one.
    var commits: ClosedRange<UInt64> {
      (former.map { min($0 + 1, snapshot.commit) } ?? snapshot.commit)...snapshot.commit
    }
  }

  /// A comparison of a new state with the previous one.
  struct Comparison {
    let isChanged: Bool
    /// Makes the new state the previous one.
    let accept: () -> Void
  }

  /// Compares a new state with the previous one, and writes its differences.
  typealias Compare = (State, ChangeSpool) throws -> Comparison

  private let context: ToolContext
  private var store: DynamicStore
  private let version: UInt64
  private let types: [DynamicType]
  private let compare: Compare
  private let bell = WatchBell()
  private var watch: DynamicWatch?
  private var last: UInt64?

  /// Thrown when the user interrupts a comparison.
  struct Interrupted: Error {}

  init(_ context: ToolContext, _ store: DynamicStore, _ compare: @escaping Compare) {
    self.context = context
    self.store = store
    self.compare = compare
    version = store.schemaVersion
    types = store.types
  }

  /// The limits of a session, as its options have them.
  struct Limits {
    static let options = [
      OptionDeclaration("count", short: "n", value: "N", "Ends after N sets of changes."),
      OptionDeclaration("for", value: "SECONDS", "Ends after this time."),
    ]

    /// The number of sets of changes after which the session ends.
    let most: Int
    /// The time at which the session ends.
    let deadline: ContinuousClock.Instant?

    init(_ context: ToolContext) throws {
      most = try context.invocation.integer("count", in: 1...Int.max) ?? .max
      let seconds = try context.invocation.integer("for", in: 0...Int.max)
      // The limit is more than a century.
      deadline = seconds.map { ContinuousClock.now + .seconds(min($0, 4_000_000_000)) }
    }
  }

  func run(_ limits: Limits) throws {
    context.streams.watchForInterrupts()
    defer {
      watch?.stop()
      store.close()
    }
    do { try follow(limits) } catch is Interrupted {}
  }

  private func follow(_ limits: Limits) throws {
    // The watch begins before the first read, so that no commit is missed in between.
    try begin()
    _ = try look()
    say()
    var sets = 0
    while sets < limits.most {
      switch bell.wait(until: limits.deadline, isInterrupted: context.streams.isInterrupted) {
      case .over: return
      case .removed: throw Self.removed
      case .commit:
        let start = ContinuousClock.now
        if try look() { sets += 1 }
        // Limits reading to half of the time, for a large store that is written to continuously.
        if sets < limits.most { Thread.sleep(forTimeInterval: min((.now - start) / .seconds(1), 1)) }
      }
    }
  }

  private func begin() throws {
    let bell = bell
    watch = try store.watch { bell.ring($0) }
  }

  private func say() {
    let console = context.io.error
    console.line("Watching \(Format.printable(store.name)) from commit \(last ?? 0). Ctrl-C ends it.")
    guard watch?.isPolling == true else { return }
    console.line("The system cannot report changes here: the store is checked every second.")
  }

  /// - Returns: whether anything has changed.
  private func look() throws -> Bool {
    for _ in 0..<10 {
      if store.isOutdated { try reopen() }
      do { return try lookOnce() } catch {
        // Another process has begun to write to a store that had no lock table, so pages may have changed
        // during the read.
        guard store.isOutdated else { throw error }
      }
    }
    return try lookOnce()
  }

  private func reopen() throws {
    watch?.stop()
    store.close()
    store = try context.open(store.directory, .quick)
    try begin()
  }

  private func lookOnce() throws -> Bool {
    let spool = ChangeSpool()
    let found = try store.read { snapshot -> (commit: UInt64, comparison: Comparison)? in
      guard snapshot.commit != last else { return nil }
      guard snapshot.schemaVersion == version, snapshot.types == types else {
        throw Self.migrated(from: version, to: snapshot.schemaVersion)
      }
      return (snapshot.commit, try compare(State(snapshot: snapshot, former: last), spool))
    }
    guard let found else { return false }
    last = found.commit
    found.comparison.accept()
    // Written after the read, so that a slow reader of the output does not keep pages of the store.
    try spool.forEach { try context.streams.writeOutput($0) }
    return found.comparison.isChanged
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
