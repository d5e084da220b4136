import Foundation
import LMDB

/// The seed, the effort and the directory of a run of one test.
struct TortureSetting: Sendable {
  /// How much is run.
  enum Effort: Sendable {
    /// A few seconds for each test.
    case short
    /// About two minutes for each test.
    case command
    /// A part of a night of eight hours.
    case hours(Double)

    /// - Parameters:
    ///   - short: the number for `short`.
    ///   - command: the number for `command`.
    ///   - night: the number for eight hours.
    func count(short: Int, command: Int, night: Int) -> Int {
      switch self {
      case .short: short
      case .command: command
      case .hours(let hours): max(command, Int(Double(night) * hours / 8))
      }
    }

    /// Of each so many cases one is run; in a night of eight hours every one.
    func stride(short: Int, command: Int) -> Int {
      switch self {
      case .short: short
      case .command: command
      case .hours(let hours): max(1, command - Int(Double(command) * hours / 8))
      }
    }
  }

  let arguments: Arguments
  /// The directory of the test; it is empty at the start.
  let work: String
  let seed: Int
  let effort: Effort
  let workers: Int

  /// - Parameter name: the test's name.
  init(_ arguments: Arguments, name: String) throws {
    guard let work = arguments.text("work") else { throw BrokenTest("--work DIRECTORY is missing") }
    self.arguments = arguments
    self.work = "\(work)/\(name)"
    seed = arguments.number("seed") ?? Int.random(in: 1..<1_000_000)
    workers = max(1, arguments.number("workers") ?? ProcessInfo.processInfo.activeProcessorCount)
    switch arguments.text("effort") {
    case "short": effort = .short
    case nil, "command": effort = .command
    case .some(let hours):
      guard let hours = Double(hours), hours > 0, hours < 10_000 else {
        throw BrokenTest("--effort is short, command, or a number of hours; it is \(hours)")
      }
      effort = .hours(hours)
    }
    try fresh(self.work)
  }

  /// The path of a library of `Torture/Preload`.
  func preload(_ name: String) throws -> String {
    guard let directory = arguments.text("preload") else {
      throw BrokenTest("--preload DIRECTORY is missing; Torture/run gives it")
    }
    return "\(directory)/\(name).so"
  }

  /// Makes an empty directory that no other user can read.
  func fresh(_ directory: String) throws {
    try? FileManager.default.removeItem(atPath: directory)
    try FileManager.default.createDirectory(
      atPath: directory,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Runs the body for each item on as many threads as there are workers; ends with the first error.
  /// - Parameter body: gets the item and the number of the worker.
  /// - Throws: the first error; ``Interrupted`` with the findings before it, where there are any.
  func forEach<Item: Sendable>(
    _ items: [Item],
    unit: String,
    _ body: @escaping @Sendable (Item, Int) throws -> Outcome
  ) throws -> Outcome {
    let total = OwnedLock(Outcome(unit))
    let failure = OwnedLock<(any Error)?>(nil)
    let next = OwnedLock(0)
    WorkerThreads.run(min(workers, max(items.count, 1))) { worker in
      while true {
        let index = next.withLock { index in
          defer { index += 1 }
          return index
        }
        guard index < items.count, failure.withLock({ $0 == nil }) else { return }
        do {
          let outcome = try body(items[index], worker)
          total.withLock { $0.add(outcome) }
        } catch {
          return failure.withLock { $0 = error }
        }
      }
    }
    let outcome = total.withLock { $0 }
    guard let error = failure.withLock({ $0 }) else { return outcome }
    throw outcome.findings.isEmpty ? error : Interrupted(outcome: outcome, error: error)
  }
}
