import Foundation

/// The rules for names of stores. A `schemaName` is the name of a directory, never a path.
package enum StoreName {
  /// The maximum length in UTF-8 bytes. Common file systems allow 255; the rest is for suffixes.
  package static let maximumByteCount = 200

  /// Whether a name is the name of a file of the storage layer, which a store must not have.
  private static func isReserved(_ name: String) -> Bool {
    // Checked first because it is cheaper than `lowercased()`. Shorter names are never reserved.
    guard name.utf8.count >= 8 else { return false }
    let name = name.lowercased()
    return name == "data.mdb" || name == "lock.mdb"
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    // The tables of character properties are large, and most names do not need them.
    if scalar.isASCII { return scalar.value < 32 || scalar.value == 127 }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    default: return false
    }
  }

  /// Checks a name.
  ///
  /// - Throws: ``FiefError`` of code `invalidStoreName`, with the name and the reason.
  package static func validate(_ name: String) throws(FiefError) {
    guard let problem = problem(name) else { return }
    throw FiefError(.invalidStoreName, problem, store: name)
  }

  private static func problem(_ name: String) -> String? {
    if name.isEmpty { return "The name of a store is empty; the default store has nil as its schemaName." }
    if name.utf8.count > maximumByteCount {
      return "The name of a store is longer than 200 bytes of UTF-8."
    }
    // The check is by scalars. A separator with a combining mark is a different character, but the file
    // system still treats it as a separator.
    for scalar in name.unicodeScalars {
      if isControl(scalar) { return "The name of a store contains a control character." }
      if scalar == "/" || scalar == "\\" { return "The name of a store is a path." }
    }
    if name.unicodeScalars.first == "." { return "The name of a store begins with a dot." }
    if isReserved(name) { return "The name of a store is reserved." }
    return nil
  }
}
