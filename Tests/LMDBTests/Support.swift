import ChildProcesses
import Foundation
import LMDB
import Synchronization
import Testing

/// A child process of a test: the `lmdb-fault-child` beside the test bundle.
final class Child {
  private let process: ChildProcess

  convenience init(_ arguments: String...) throws { try self.init(arguments: arguments) }

  init(arguments: [String]) throws {
    process = try ChildProcess(ChildProcess.built("lmdb-fault-child"), arguments, output: .pipe)
  }

  /// Waits for the next line; nil when the child has closed its output.
  func line() -> String? {
    do { return try process.output.line() } catch {
      Issue.record(error)
      return nil
    }
  }

  /// Waits for the end; returns all lines that are left.
  func finish() -> [String] {
    var lines: [String] = []
    while let line = line() { lines.append(line) }
    process.wait()
    return lines
  }

  func killNow() {
    process.kill()
    process.wait()
  }

  /// Waits for the end.
  var end: ChildProcess.End { process.wait() }
}

/// Runs `body` on so many threads of their own at once and waits for all.
///
/// The tests' tasks share a few threads, which must not be blocked by each other.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
  let failures = Failures()
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      do { try body(index) } catch { failures.add("thread \(index): \(error)") }
      group.leave()
    }
  }
  group.wait()
  #expect(failures.all == [])
}

/// The failures on several threads.
final class Failures: Sendable {
  private let texts = OwnedLock<[String]>([])
  func add(_ text: String) { texts.withLock { $0.append(text) } }
  var all: [String] { texts.withLock { $0 } }
}

/// A flag that one thread sets for others.
final class Flag: Sendable {
  private let state = Atomic<Bool>(false)
  func set() { state.store(true, ordering: .sequentiallyConsistent) }
  var isSet: Bool { state.load(ordering: .sequentiallyConsistent) }
  /// Waits until another thread sets it.
  func wait() { while !isSet { usleep(200) } }
}

/// A value that a test passes to another thread and knows to be used by one at a time.
final class Smuggled<Value>: @unchecked Sendable {
  // SAFETY: the test waits for one thread before it lets another use the value.
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Waits until something is so, ten minutes at most; returns whether it is.
func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<120_000 {
    if condition() { return true }
    usleep(5000)
  }
  return condition()
}

/// Whether a process waits for the lock of a file.
func isWaitedFor(_ file: String) -> Bool {
  var info = stat()
  guard stat(file, &info) == 0, let locks = fopen("/proc/locks", "r") else { return false }
  defer { fclose(locks) }
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  var text = ""
  while case let count = fread(&buffer, 1, buffer.count, locks), count > 0 {
    text += String(decoding: buffer[..<count], as: UTF8.self)
  }
  return text.split(separator: "\n").contains { $0.contains("->") && $0.contains(":\(info.st_ino) ") }
}

/// A generator that gives the same numbers for the same seed.
struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
