import Fief

/// An index of a random schema.
package struct RandomIndex: Sendable, Hashable {
  /// One to three properties.
  package var columns: [String]
  package var isUnique = false
  package var isCaseInsensitive = false
  package var isFullText = false

  package init(_ columns: [String]) { self.columns = columns }

  package static func unique(_ columns: [String]) -> RandomIndex {
    var index = RandomIndex(columns)
    index.isUnique = true
    return index
  }

  package static func fullText(_ columns: [String]) -> RandomIndex {
    var index = RandomIndex(columns)
    index.isFullText = true
    return index
  }

  package var caseInsensitive: RandomIndex {
    var index = self
    index.isCaseInsensitive = true
    return index
  }

  /// The index as a class declares it.
  package var definition: IndexDefinition {
    func definition(_ names: [String]) -> IndexDefinition {
      switch names.count {
      case 1: isUnique ? .unique(names[0]) : isFullText ? .fullText(names[0]) : IndexDefinition(names[0])
      case 2:
        isUnique
          ? .unique(names[0], names[1])
          : isFullText ? .fullText(names[0], names[1]) : IndexDefinition(names[0], names[1])
      default:
        isUnique ? .unique(names[0], names[1], names[2]) : IndexDefinition(names[0], names[1], names[2])
      }
    }
    return isCaseInsensitive ? definition(columns).caseInsensitive : definition(columns)
  }
}

extension RandomIndex: CustomStringConvertible {
  package var description: String {
    (isUnique ? "unique " : "") + (isFullText ? "full-text " : "") + (isCaseInsensitive ? "[c] " : "")
      + "(\(columns.joined(separator: ", ")))"
  }
}
