/// The reason why the real input could not be read, with advice.
enum InputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No package index and no list of installed packages.
  case noPackageIndex
  /// The files of the package iso-codes are not there.
  case isoCodesMissing
  /// A file could not be read.
  case unreadable(name: String, reason: String)
  /// A file is not what it should be.
  case malformed(name: String, reason: String)
  /// A command ended badly.
  case commandFailed(name: String, status: Int32, message: String)
  /// apt changed its files while they were read.
  case indexChanged(name: String)

  var description: String {
    switch self {
    case .noPackageIndex:
      "No Debian package index was found. Run `apt-get update` on a Debian system, "
        + "or name a file: --index FILE."
    case .isoCodesMissing:
      "The lists of ISO codes were not found. Install them with `apt-get install iso-codes`."
    case .unreadable(let name, let reason): "\(name) could not be read: \(reason)"
    case .malformed(let name, let reason): "\(name) is malformed: \(reason)"
    case .commandFailed(let name, let status, let message):
      "\(name) ended with status \(status)" + (message.isEmpty ? "" : ": \(message)")
    case .indexChanged(let name): "\(name) changed while it was read. Try again when apt has finished."
    }
  }
}
