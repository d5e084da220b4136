import Foundation

/// The names that a store may have: `schemaName` is the name of a directory, never a path.
package enum StoreName {
  /// The most bytes of UTF-8; the file systems in use take 255, the rest is for endings.
  package static let maximumByteCount = 200

  /// Names of the files of the storage layer, whose names a store must not have.
  private static func isReserved(_ name: String) -> Bool {
    // Before the tables of letters are asked for: no shorter name has these letters.
    guard name.utf8.count >= 8 else { return false }
    let name = name.lowercased()
    return name == "data.mdb" || name == "lock.mdb"
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    // The tables of the properties of characters are large, and most names do without.
    if scalar.isASCII { return scalar.value < 32 || scalar.value == 127 }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// Checks a name.
  ///
  /// - Throws: ``FiefError`` with `.invalidStoreName`, which carries the name and the reason.
  package static func validate(_ name: String) throws(FiefError) {
    guard let problem = problem(name) else { return }
    throw FiefError(.invalidStoreName, problem, store: name)
  }

  private static func problem(_ name: String) -> String? {
    if name.isEmpty { return "The name of a store is empty; the default store has nil as its schemaName." }
    if name.utf8.count > maximumByteCount {
      return "The name of a store is longer than 200 bytes of UTF-8."
    }
    // The name is checked by scalars: a separator that carries a combining mark is a character of its own,
    // but not to the file system.
    for scalar in name.unicodeScalars {
      if isControl(scalar) { return "The name of a store has a control character." }
      if scalar == "/" || scalar == "\\" { return "The name of a store is a path." }
    }
    if name.unicodeScalars.first == "." { return "The name of a store begins with a dot." }
    if isReserved(name) { return "The name of a store is reserved." }
    return nil
  }
}
