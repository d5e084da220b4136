import Foundation

/// A failure to start a child process, or to talk to it.
package struct ChildProcessError: Error, Equatable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case notStarted = "was not started"
    case noStream = "was not started, because a pipe or a file cannot be opened"
    case notRead = "has output that cannot be read"
    case notWritten = "did not take its input"
  }

  package let code: Code
  /// The program as it was named.
  package let program: String
  /// The system's number of the error.
  package let number: Int32

  init(_ code: Code, _ program: String, _ number: Int32) {
    self.code = code
    self.program = program
    self.number = number
  }

  package var description: String {
    // SAFETY: the system returns a string that ends with a zero, and it is copied at once.
    "'\(program)' \(code.rawValue): \(String(cString: strerror(number))) (errno \(number))"
  }
}
