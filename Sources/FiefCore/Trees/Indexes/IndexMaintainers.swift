extension IndexEntry.Kind {
  /// The type that maintains indexes of the kind, or `nil` for ordered indexes, whose entries the writer
  /// makes itself.
  ///
  /// Only this property maps kinds to maintainers. The rest of the engine does not distinguish kinds.
  package var maintainer: (any IndexMaintainer.Type)? {
    switch self {
    case .ordered: nil
    case .fullText: FullTextMaintainer.self
    }
  }
}

extension IndexEntry {
  /// Whether the entries depend on the tables of Unicode.
  var dependsOnUnicode: Bool { isCaseInsensitive || kind.maintainer?.dependsOnUnicode == true }
}

extension IndexName: CustomStringConvertible {
  /// The description of the index, as in `unique index (team, number)`.
  package var description: String {
    var words: [String] = []
    if isUnique { words.append("unique") }
    if isCaseInsensitive { words.append("case-insensitive") }
    if let adjective = kind.maintainer?.adjective { words.append(adjective) }
    return (words + ["index (\(columns.joined(separator: ", ")))"]).joined(separator: " ")
  }
}
