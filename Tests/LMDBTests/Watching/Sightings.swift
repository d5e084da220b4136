import Foundation
import LMDB

/// The events that a watcher has reported to a test.
final class Sightings: Sendable {
  private struct State {
    var all: [CommitWatcher.CommitEvent] = []
    var unreadable = 0
    var running = 0
    var overlapping = 0
  }

  private let state = OwnedLock(State())

  var all: [CommitWatcher.CommitEvent] { state.withLock { $0.all } }
  var last: CommitWatcher.CommitEvent? { state.withLock { $0.all.last } }
  /// The number of commits that were reported before a reader could see them.
  var unreadable: Int { state.withLock { $0.unreadable } }
  var overlapping: Int { state.withLock { $0.overlapping } }

  /// The highest number that was reported.
  var newest: UInt64? {
    state.withLock { state in
      state.all.compactMap { sighting in
        if case .commit(let number) = sighting { number } else { nil }
      }.max()
    }
  }

  var hasRemoval: Bool { state.withLock { $0.all.contains(.removed) } }

  /// A handler that notes the reported commits, and whether a reader sees them.
  func handler(
    of environment: LMDB.Environment,
    _ then: @escaping @Sendable () -> Void = {}
  ) -> @Sendable (CommitWatcher.CommitEvent) -> Void {
    { [self] sighting in
      var isReadable = true
      if case .commit(let number) = sighting {
        isReadable = ((try? environment.read { $0.id }) ?? 0) >= number
      }
      state.withLock { state in
        state.all.append(sighting)
        state.running += 1
        if state.running > 1 { state.overlapping += 1 }
        if !isReadable { state.unreadable += 1 }
      }
      then()
      state.withLock { $0.running -= 1 }
    }
  }
}

/// The threads of a test's watchers, which other tests in this process do not have.
struct WatcherThreads {
  /// The name of the threads; the system keeps 15 characters.
  let name = "w" + String(UInt64.random(in: 0..<1 << 56), radix: 16)

  /// The number of threads with the name; 0 if the system does not have it.
  var count: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
      let found = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
      return found?.hasPrefix(name) ?? false
    }
  }
}
