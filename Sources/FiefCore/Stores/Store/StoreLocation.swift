import Foundation

/// The locations of an application's stores.
package enum StoreLocation {
  /// Returns the directory for stores whose repository does not specify one. It is not created.
  ///
  /// On Linux it is `$XDG_DATA_HOME/<executable>` if the variable is an absolute path, and
  /// `~/.local/share/<executable>` otherwise. In this path, `~` is `$HOME`, or the home directory in the
  /// password file if `HOME` is not set. On Apple's systems it is `Application Support/<bundle identifier>`.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen` if the user has no home directory.
  package static func defaultDirectory() throws(FiefError) -> String {
    #if canImport(Darwin)
      let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      guard let support else { throw noHome() }
      return support.appendingPathComponent(Bundle.main.bundleIdentifier ?? applicationName()).path
    #else
      let home = NSHomeDirectory()
      return try dataDirectory(
        environment: ProcessInfo.processInfo.environment,
        home: home,
        application: applicationName()
      )
    #endif
  }

  /// Returns the data directory according to the XDG specification of base directories.
  ///
  /// - Parameter home: the user's directory in the password file. `HOME` takes precedence, because services
  ///   and containers set it to a directory to which they may write.
  static func dataDirectory(
    environment: [String: String],
    home: String,
    application: String
  ) throws(FiefError) -> String {
    // The specification requires ignoring relative paths.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
      return joined(data, application)
    }
    let home = [environment["HOME"], home].compactMap(\.self).first { $0.hasPrefix("/") && $0 != "/" }
    guard let home else { throw noHome() }
    return joined(home, ".local/share/" + application)
  }

  package static func joined(_ directory: String, _ name: String) -> String {
    directory.utf8.last == UInt8(ascii: "/") ? directory + name : directory + "/" + name
  }

  private static func noHome() -> FiefError {
    FiefError(.cannotOpen, "No directory for stores exists because the user has no home directory.")
  }

  /// Returns the name of the executable, which is always a valid file name.
  private static func applicationName() -> String {
    var name = Bundle.main.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
    // The system adds this suffix if the executable was replaced since the process began.
    if name.hasSuffix(" (deleted)") { name.removeLast(10) }
    return name.isEmpty || name == "/" ? "fief" : name
  }
}
