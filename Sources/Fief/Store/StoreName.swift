import Foundation

/// The names that a store may have: `schemaName` is the name of a directory, never a path.
package enum StoreName {
  /// The most bytes of UTF-8; the file systems in use take 255, the rest is for endings.
  package static let maximumByteCount = 200

  /// Names of the files of the storage layer, which a store of that name would look like.
  private static let reserved: Set<String> = ["data.mdb", "lock.mdb"]

  /// Checks a name.
  ///
  /// - Throws: ``FiefError`` with `.invalidStoreName`, which carries the name and says what is wrong.
  package static func validate(_ name: String) throws(FiefError) {
    guard let problem = problem(name) else { return }
    throw FiefError(.invalidStoreName, problem, store: name)
  }

  private static func problem(_ name: String) -> String? {
    if name.isEmpty { return "The name of a store is empty." }
    if name.utf8.count > maximumByteCount {
      return "The name of a store is longer than 200 bytes of UTF-8."
    }
    // By scalars: a separator that carries a combining mark is a character of its own, but not to the
    // file system.
    for scalar in name.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        return "The name of a store has a control character."
      default:
        if scalar == "/" || scalar == "\\" { return "The name of a store is a path." }
      }
    }
    if name.unicodeScalars.first == "." { return "The name of a store begins with a dot." }
    if reserved.contains(name.lowercased()) { return "The name of a store is reserved." }
    return nil
  }
}
