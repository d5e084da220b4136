import Fief
import FiefConsole

/// Completes names of a store for the completion scripts of shells: its types, and the properties of a type.
///
/// Completion runs again for every key press, so the store is opened for reading only and without full
/// verification. If it cannot be opened, nothing is offered.
enum NameCompletion {
  static let types = "types"
  static let columns = "columns"

  /// Returns the completions for the words of a command line: the kind of names, the words that are not
  /// options, and the word being typed.
  static func lines(for words: [String]) -> [String] {
    guard words.count >= 3, let path = try? StorePath.directory(of: words[1]),
      let store = try? DynamicStore(directory: path, isReadOnly: true, verification: .quick)
    else { return [] }
    defer { store.close() }
    let current = words[words.count - 1]
    switch words[0] {
    case types:
      return store.types.filter { !$0.isEmbedded }.map(\.name).filter { $0.hasPrefix(current) }.sorted()
    case columns:
      guard words.count >= 4, let type = store.types.first(where: { $0.name == words[2] }) else { return [] }
      // In a comma-separated list the names before the last comma stay, and are not offered again.
      let parts = current.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let taken = parts.dropLast()
      let before = taken.map { $0 + "," }.joined()
      return type.columns.map(\.name)
        .filter { !taken.contains($0) && $0.hasPrefix(parts.last ?? "") }.map { before + $0 }
    default: return []
    }
  }
}
