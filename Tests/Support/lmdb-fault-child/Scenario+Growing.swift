import ChildProcesses
import LMDB
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The directory that ``Scenario/readGrownMeanwhile()`` has another process write to while the map is being
/// changed.
// SAFETY: set once, before the closure that reads it is installed.
nonisolated(unsafe) private var growingDirectory = ""

extension Scenario {
  /// Reads with all functions after other processes have made the file larger: once before this one follows,
  /// and once more while it does, between asking for a size and getting it.
  func readGrownMeanwhile() throws {
    let (environment, items) = try open()
    growingDirectory = directory
    guard Self.grow(directory, to: 2_000) else { exit(70) }
    faults_before_resize {
      if !Scenario.grow(growingDirectory, to: 12_000) { exit(71) }
    }
    try environment.read { transaction in
      say("count \(try transaction.count(items))")
      let cursor = try transaction.cursor(items)
      var (found, bytes) = (0, 0)
      while try cursor.next() {
        found += 1
        bytes += cursor.value.count
      }
      say("scan \(found) \(bytes)")
      var runs = 0
      try transaction.forEachRun(items, reversed: true) {
        runs += $0.count
        return true
      }
      say("runs \(runs)")
      let missing = try (0..<12_000).count { index in
        try withBytes("grown\(index)") { try transaction.get(items, $0) == nil }
      }
      say("missing \(missing)")
      let counted = try withBytes("grown0") { try transaction.exactCount(items, from: $0) }
      say("counted \(counted)")
    }
    say("map \(try environment.statistics().mapSize >= 12 << 20)")
    environment.close()
  }

  /// Has another process of this program write to a store.
  ///
  /// - Returns: whether it has ended well.
  private static func grow(_ directory: String, to count: Int) -> Bool {
    let arguments = ["grow", directory, "\(count)"]
    let outcome = try? ChildProcess.run("/proc/self/exe", arguments, output: .null, errors: .inherited)
    return outcome?.end == .exited(0)
  }
}
