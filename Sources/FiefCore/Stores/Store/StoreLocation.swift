import Foundation

/// The locations of an application's stores.
package enum StoreLocation {
  /// The directory for stores whose repository names none; it is not created.
  ///
  /// On Linux `$XDG_DATA_HOME/<executable>`, where the variable is an absolute path, or else
  /// `~/.local/share/<executable>`, where `~` is `$HOME`, and the password file's directory without it; on Apple's systems `Application Support/<bundle identifier>`.
  ///
  /// - Throws: ``FiefError`` with `.cannotOpen` where the user has no home directory.
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

  /// The rule of the XDG base directories, by itself.
  ///
  /// - Parameter home: the user's directory in the password file. `HOME` counts before it: services and containers set
  ///   it to a directory that they may write to.
  static func dataDirectory(
    environment: [String: String],
    home: String,
    application: String
  ) throws(FiefError) -> String {
    // The specification has relative paths ignored.
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
    FiefError(.cannotOpen, "There is no directory for stores, because the user has no home directory.")
  }

  /// The executable's name, which is a file name already.
  private static func applicationName() -> String {
    var name = Bundle.main.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
    // The system's note that the executable has been replaced since the process began.
    if name.hasSuffix(" (deleted)") { name.removeLast(10) }
    return name.isEmpty || name == "/" ? "fief" : name
  }
}
