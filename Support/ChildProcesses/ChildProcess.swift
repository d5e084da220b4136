import Foundation
import Synchronization

/// A process that this one has started.
///
/// Start one with an initializer to talk to it while it runs, or with ``run(_:_:environment:directory:input:output:errors:timeLimit:)``
/// to get all its output. A child that still runs when its last reference is released is killed.
package final class ChildProcess: Sendable {
  /// The end of a child process.
  package enum End: Equatable, Sendable {
    /// The child has exited with a status.
    case exited(Int32)
    /// A signal has ended the child.
    case signal(Int32)
    /// The child took longer than its time limit, and was killed.
    case hung
    /// The system has discarded the end, as it does if this process ignores `SIGCHLD`.
    case lost

    /// The exit status, or `nil` if the child has not exited.
    package var status: Int32? { if case .exited(let status) = self { status } else { nil } }
  }

  private struct State {
    var end: End?
    /// The number of threads that wait for the end in a system call.
    var waiting = 0
    var isReaped = false
  }

  /// The number of the process. The system does not reuse it before the child's end was noted.
  package let id: Int32
  /// The child's standard input, if that is a pipe.
  package let input: ChildInput
  /// The child's standard output, if that is a pipe.
  package let output: ChildOutput
  /// The child's standard error, if that is a pipe.
  package let errors: ChildOutput
  private let state = Mutex(State())

  /// Starts a program.
  ///
  /// The child gets the standard streams and no other descriptor of this process. No signal is blocked or ignored in it.
  ///
  /// - Parameters:
  ///   - program: a path, or a name, which is searched in the directories of the child's variable `PATH`. A relative path begins at
  ///     `directory`.
  ///   - directory: the working directory; `nil` for the working directory of this process.
  /// - Throws: ``ChildProcessError`` with the code `notStarted`, or `noStream` if a pipe or a file cannot be opened.
  package init(
    _ program: String,
    _ arguments: [String] = [],
    environment: Environment = .inherited(),
    directory: String? = nil,
    input: Input = .null,
    output: Output = .inherited,
    errors: Output = .inherited
  ) throws(ChildProcessError) {
    guard output != .output else { throw ChildProcessError(.noStream, program, EINVAL) }
    let streams = [
      try ChildStream(input, of: program), try ChildStream(output, of: program),
      try ChildStream(errors, of: program),
    ]
    id = try Self.start(
      program,
      arguments,
      environment.variables,
      directory,
      streams.map(\.child),
      joinsErrors: errors == .output
    )
    self.input = ChildInput(streams[0].own, of: program)
    self.output = ChildOutput(streams[1].own, of: program)
    self.errors = ChildOutput(streams[2].own, of: program)
  }

  deinit {
    if isRunning {
      kill()
      wait()
    }
  }

  /// Whether the child has not ended yet.
  package var isRunning: Bool { end == nil }

  /// The end of the child, or `nil` while it runs.
  package var end: End? {
    state.withLock { state in
      if state.end == nil { settle(&state, end: Self.end(of: id, WNOHANG)) }
      return state.end
    }
  }

  /// Sends a signal.
  ///
  /// - Returns: whether the child got it; `false` if its end was noted before.
  @discardableResult
  package func send(_ signal: Int32) -> Bool {
    state.withLock { state in state.end == nil && systemKill(id, signal) == 0 }
  }

  /// Sends `SIGKILL`.
  package func kill() { send(SIGKILL) }

  /// Waits for the end. A child that writes to a pipe waits for space in it, so read its output first.
  @discardableResult
  package func wait() -> End {
    let known = state.withLock { state in
      if state.end == nil { state.waiting += 1 }
      return state.end
    }
    if let known { return known }
    let end = Self.end(of: id, 0)
    return state.withLock { state in
      state.waiting -= 1
      settle(&state, end: end)
      return state.end ?? .lost
    }
  }

  /// Waits for the end, and kills the child if that takes too long.
  @discardableResult
  package func wait(timeLimit: Duration) -> End { wait(until: .now + timeLimit) }

  /// Polls, because Linux and Darwin share no system call that waits for one child with a time limit. The pauses grow to 10 ms.
  func wait(until deadline: ContinuousClock.Instant) -> End {
    var pause = Duration.microseconds(250)
    while true {
      if let end { return end }
      let left = deadline - .now
      if left <= .zero { break }
      usleep(useconds_t(max(1, min(pause, left) / .microseconds(1))))
      pause = min(pause * 2, .milliseconds(10))
    }
    kill()
    wait()
    return .hung
  }

  /// Notes the end, and reaps the child once no thread waits for it. Until then it is a zombie, whose number the system does not reuse.
  private func settle(_ state: inout State, end: End?) {
    if state.end == nil { state.end = end }
    guard state.end != nil, state.waiting == 0, !state.isReaped else { return }
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
    state.isReaped = true
  }

  /// The end as the system knows it, without reaping the child.
  private static func end(of id: pid_t, _ options: Int32) -> End? {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT | options) != 0 {
      guard errno == EINTR else { return .lost }
    }
    guard info.si_signo == SIGCHLD else { return nil }
    #if canImport(Darwin)
      let status = info.si_status
    #else
      let status = info._sifields._sigchld.si_status
    #endif
    return Int(info.si_code) == Int(CLD_EXITED) ? .exited(status) : .signal(status)
  }
}
