import Foundation

extension ChildProcess {
  /// The source of a child's standard input.
  package enum Input: Equatable, Sendable {
    case inherited, null
    /// ``ChildProcess/input`` writes to it.
    case pipe
  }

  /// The destination of a child's standard output or standard error.
  package enum Output: Equatable, Sendable {
    case inherited, null
    /// ``ChildProcess/output`` or ``ChildProcess/errors`` reads from it.
    case pipe
    /// A file to append to. The start creates the file if it does not exist.
    case file(String)
    /// Of standard error only: the same as standard output.
    case output
  }
}

/// The two ends of a standard stream.
struct ChildStream {
  /// The child's descriptor; `nil` if the child inherits the stream.
  private(set) var child: Descriptor?
  /// The other end, if the stream is a pipe.
  private(set) var own: Descriptor?

  init(_ input: ChildProcess.Input, of program: String) throws(ChildProcessError) {
    switch input {
    case .inherited: break
    case .null: child = try .open("/dev/null", O_RDONLY, of: program)
    case .pipe:
      let ends = try Descriptor.pipe(of: program)
      (child, own) = (ends.reading, ends.writing)
    }
  }

  init(_ output: ChildProcess.Output, of program: String) throws(ChildProcessError) {
    switch output {
    case .inherited, .output: break
    case .null: child = try .open("/dev/null", O_WRONLY, of: program)
    case .pipe:
      let ends = try Descriptor.pipe(of: program)
      (child, own) = (ends.writing, ends.reading)
    case .file(let path): child = try .open(path, O_WRONLY | O_APPEND | O_CREAT, of: program)
    }
  }
}
