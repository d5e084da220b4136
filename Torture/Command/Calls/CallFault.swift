import Foundation

/// A fault of the preloaded library: which call fails, how, and how often.
struct CallFault: Sendable, CustomStringConvertible {
  enum Mode: String, Sendable { case once, ever, kill, swallow, lie }

  var error: Int32
  var mode: Mode
  /// The number of the call among those that can have the error; 0 counts only.
  var call: Int
  /// How often the workload tries a step.
  var attempts = 1
  /// The call before which the process that opens the stores next is killed, too; 0 for none.
  var recoveryCall = 0

  static let errors: [(name: String, code: Int32)] = [
    ("EIO", EIO), ("ENOSPC", ENOSPC), ("EINTR", EINTR), ("ENOMEM", ENOMEM),
  ]

  init(error: Int32, mode: Mode, call: Int, attempts: Int = 1, recoveryCall: Int = 0) {
    self.error = error
    self.mode = mode
    self.call = call
    self.attempts = attempts
    self.recoveryCall = recoveryCall
  }

  /// The fault that `description` shows.
  init(_ arguments: Arguments) throws {
    guard let error = Self.errors.first(where: { $0.name == arguments.text("error") })?.code,
      let mode = Mode(rawValue: arguments.text("mode") ?? ""), let call = arguments.number("call")
    else { throw BrokenTest("a fault has --error, --mode and --call") }
    self.init(
      error: error,
      mode: mode,
      call: call,
      attempts: arguments.number("attempts") ?? 1,
      recoveryCall: arguments.number("recovery") ?? 0
    )
  }

  var errorName: String { Self.errors.first { $0.code == error }?.name ?? "\(error)" }

  var description: String {
    "--error \(errorName) --mode \(mode) --call \(call) --attempts \(attempts) --recovery \(recoveryCall)"
  }

  /// The settings of the preloaded library.
  func environment(preload: String, directory: String, report: String) -> [String: String] {
    [
      "LD_PRELOAD": preload, "TORTURE_DIRECTORY": directory, "TORTURE_CALL": "\(call)",
      "TORTURE_ERROR": "\(error)", "TORTURE_MODE": mode.rawValue, "TORTURE_REPORT": report,
    ]
  }

  /// What the preloaded library reported at the end of the process.
  struct Report: Sendable {
    let calls: Int
    let hasFailed: Bool
    let name: String

    init?(_ path: String) {
      guard let data = FileManager.default.contents(atPath: path) else { return nil }
      let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard words.count == 3, let calls = Int(words[0]) else { return nil }
      self.calls = calls
      hasFailed = words[1] != "0"
      name = String(words[2])
    }
  }
}
