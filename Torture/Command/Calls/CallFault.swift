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
  /// What happens to the process that opens the stores next.
  var recovery: Recovery?

  /// A second fault.
  struct Recovery: Sendable, CustomStringConvertible {
    var error: Int32
    var mode: Mode
    var call: Int

    var description: String {
      " --recovery \(call) --recovery-error \(CallFault.errorName(error)) --recovery-mode \(mode)"
    }
  }

  static let errors: [(name: String, code: Int32)] = [
    ("EIO", EIO), ("ENOSPC", ENOSPC), ("EINTR", EINTR), ("ENOMEM", ENOMEM),
  ]

  init(error: Int32, mode: Mode, call: Int, attempts: Int = 1, recovery: Recovery? = nil) {
    self.error = error
    self.mode = mode
    self.call = call
    self.attempts = attempts
    self.recovery = recovery
  }

  /// The fault that `description` shows.
  init(_ arguments: Arguments) throws {
    guard let error = Self.code(arguments.text("error")), let call = arguments.number("call"),
      let mode = Mode(rawValue: arguments.text("mode") ?? "")
    else { throw BrokenTest("a fault has --error, --mode and --call") }
    self.init(error: error, mode: mode, call: call, attempts: arguments.number("attempts") ?? 1)
    guard let call = arguments.number("recovery") else { return }
    guard let error = Self.code(arguments.text("recovery-error")),
      let mode = Mode(rawValue: arguments.text("recovery-mode") ?? "")
    else { throw BrokenTest("the fault of a recovery has --recovery-error and --recovery-mode") }
    recovery = Recovery(error: error, mode: mode, call: call)
  }

  static func code(_ name: String?) -> Int32? { errors.first { $0.name == name }?.code }
  static func errorName(_ code: Int32) -> String { errors.first { $0.code == code }?.name ?? "\(code)" }

  var errorName: String { Self.errorName(error) }

  var description: String {
    "--error \(errorName) --mode \(mode) --call \(call) --attempts \(attempts)\(recovery?.description ?? "")"
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
