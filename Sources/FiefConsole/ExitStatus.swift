/// The status of a command for the script that runs it.
///
/// The same numbers mean the same in every command of Fief. Those from 2 up to 63 that are not here are
/// free; numbers from 126 belong to shells.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  /// The number that the process ends with.
  package let rawValue: Int32

  /// Makes a status of a number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The request is done.
  package static let done = ExitStatus(rawValue: 0)
  /// Something failed; the store is unchanged.
  package static let failed = ExitStatus(rawValue: 1)
  /// There was nothing to do.
  package static let nothingToDo = ExitStatus(rawValue: 3)
  /// The command was not begun, for a reason that the message gives.
  package static let refused = ExitStatus(rawValue: 4)
  /// A store is damaged.
  package static let damaged = ExitStatus(rawValue: 5)
  /// The requested thing is not there.
  package static let notFound = ExitStatus(rawValue: 6)
  /// The command line is wrong.
  package static let usage = ExitStatus(rawValue: 64)
}
