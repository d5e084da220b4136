import FiefTorture

/// What happens to one run of a command, and to the process after it.
struct CommandFault: Sendable, CustomStringConvertible {
  enum First: Sendable {
    /// At a named point of the migration, by its number.
    case point(PlanPoints.Fault, Int)
    /// At a system call.
    case call(CallFault)
  }

  /// The fault of the process that comes next.
  struct Second: Sendable {
    /// Whether that is the command again; otherwise it is one that opens the store and its backups.
    let isCommand: Bool
    var fault: CallFault
    var defect: CommandProcess.Defect?
  }

  let command: CommandProcess.Command
  let first: First
  var second: Second?
  var defect: CommandProcess.Defect?

  init(_ command: CommandProcess.Command, _ first: First, _ second: Second? = nil) {
    self.command = command
    self.first = first
    self.second = second
  }

  /// The fault that `description` shows.
  init(_ arguments: Arguments) throws {
    guard let command = CommandProcess.Command(rawValue: arguments.text("command") ?? "") else {
      throw BrokenTest("a fault of a command has --command")
    }
    self.command = command
    if let fault = PlanPoints.Fault(rawValue: arguments.text("fault") ?? ""),
      let number = arguments.number("at")
    {
      first = .point(fault, number)
    } else {
      first = .call(try CallFault(arguments))
    }
    guard let name = arguments.text("second") else { return }
    guard let error = CallFault.code(arguments.text("second-error")),
      let mode = CallFault.Mode(rawValue: arguments.text("second-mode") ?? ""),
      let call = arguments.number("second-call")
    else { throw BrokenTest("a second fault has --second-error, --second-mode and --second-call") }
    second = Second(isCommand: name == "command", fault: CallFault(error: error, mode: mode, call: call))
  }

  var isKilled: Bool {
    switch first {
    case .point(let fault, _): fault == .kill
    case .call(let fault): fault.mode == .kill
    }
  }

  /// What a run is counted as that has met the fault.
  var nameOfCount: String {
    second == nil ? "times \(command.rawValue) was met by \(kind)" : "times \(kind)"
  }

  /// The kind of the fault, for counts.
  var kind: String {
    let name =
      switch first {
      case .point(.kill, _): "killed at a point of a step"
      case .point(.throw, _): "a throw in a step"
      case .call(let fault): fault.mode == .kill ? "killed at a call" : "\(fault.errorName) \(fault.mode)"
      }
    guard let second else { return name }
    return name
      + ", then \(second.fault.mode == .kill ? "killed" : "\(second.fault.errorName) \(second.fault.mode)")"
  }

  var description: String {
    var text = "--command \(command.rawValue) "
    switch first {
    case .point(let fault, let number): text += "--fault \(fault.rawValue) --at \(number)"
    case .call(let fault): text += "\(fault)"
    }
    guard let second else { return text }
    text += " --second \(second.isCommand ? "command" : "open") --second-error \(second.fault.errorName)"
    return text + " --second-mode \(second.fault.mode) --second-call \(second.fault.call)"
  }
}
