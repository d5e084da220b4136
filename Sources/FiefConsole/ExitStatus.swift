/// The exit status of a command, for scripts.
///
/// A number has the same meaning in every command of Fief. Unused numbers from 2 to 63 are free; shells use
/// the numbers from 126.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  /// The exit status of the process.
  package let rawValue: Int32

  /// Creates a status from a number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The command succeeded.
  package static let done = ExitStatus(rawValue: 0)
  /// The command failed, and the store is unchanged.
  package static let failed = ExitStatus(rawValue: 1)
  /// There was nothing to do.
  package static let nothingToDo = ExitStatus(rawValue: 3)
  /// The command was not started, for the reason in the message.
  package static let refused = ExitStatus(rawValue: 4)
  /// A store is damaged.
  package static let damaged = ExitStatus(rawValue: 5)
  /// The requested object or file does not exist.
  package static let notFound = ExitStatus(rawValue: 6)
  /// The command line is wrong.
  package static let usage = ExitStatus(rawValue: 64)
}
