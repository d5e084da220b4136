import Foundation

extension ChildProcess {
  /// The output and the end of a child.
  package struct Outcome: Sendable {
    package let end: End
    /// The child's standard output, if it was a pipe.
    package let output: String
    /// The child's standard error, if it was a pipe.
    package let errors: String
    /// The number of bytes of the input that the child did not take.
    package let untakenInput: Int

    /// The exit status, or `nil` if the child has not exited.
    package var status: Int32? { end.status }
  }

  /// Runs a program to its end, and returns all that it has written.
  ///
  /// Input and output may be of any size: both outputs are read while the input is written.
  ///
  /// - Parameters:
  ///   - input: the standard input. With an empty text the child reads from the null device.
  ///   - timeLimit: the longest time for the child and all its output; after it the child is killed, and its end is `hung`.
  /// - Throws: ``ChildProcessError``. A child that fails, or that does not read its input, is no error.
  @discardableResult
  package static func run(
    _ program: String,
    _ arguments: [String] = [],
    environment: Environment = .inherited(),
    directory: String? = nil,
    input: String = "",
    output: Output = .pipe,
    errors: Output = .pipe,
    timeLimit: Duration? = nil
  ) throws(ChildProcessError) -> Outcome {
    let deadline = timeLimit.map { ContinuousClock.now + $0 }
    let child = try ChildProcess(
      program,
      arguments,
      environment: environment,
      directory: directory,
      input: input.isEmpty ? .null : .pipe,
      output: output,
      errors: errors
    )
    var rest = Array(input.utf8)[...]
    var received: [[UInt8]] = [[], []]
    let outputs = [child.output, child.errors]
    if !rest.isEmpty { try child.input.makeNonblocking() }
    // The system passes over the descriptor -1.
    var streams = [pollfd(fd: child.input.number, events: Int16(POLLOUT), revents: 0)]
    streams += outputs.map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
    while streams.contains(where: { $0.fd >= 0 }) {
      let count = poll(&streams, nfds_t(streams.count), milliseconds(until: deadline))
      let code = errno
      if count == 0 {
        child.kill()
        child.wait()
        return Outcome(.hung, received, untakenInput: rest.count)
      }
      guard count > 0 else {
        if code == EINTR { continue }
        throw ChildProcessError(.notRead, program, code)
      }
      if streams[0].revents != 0 {
        let taken = try child.input.put(rest)
        rest = rest.dropFirst(taken ?? 0)
        if taken == nil || rest.isEmpty {
          child.input.close()
          streams[0].fd = -1
        }
      }
      for index in outputs.indices where streams[index + 1].revents != 0 {
        if let bytes = try outputs[index].read() {
          received[index] += bytes
        } else {
          streams[index + 1].fd = -1
        }
      }
    }
    let end = deadline.map { child.wait(until: $0) } ?? child.wait()
    return Outcome(end, received, untakenInput: rest.count)
  }
}

extension ChildProcess.Outcome {
  fileprivate init(_ end: ChildProcess.End, _ received: [[UInt8]], untakenInput: Int) {
    self.end = end
    output = String(decoding: received[0], as: UTF8.self)
    errors = String(decoding: received[1], as: UTF8.self)
    self.untakenInput = untakenInput
  }
}
