package import Fief

extension DynamicType {
  /// The names of an object's values in a line, including the row id of an object without a primary key.
  package var lineColumns: [String] {
    (primaryKey.isEmpty && !isEmbedded ? ["$key"] : []) + storedColumns.map(\.name)
  }

  /// Returns whether objects of the type can have links, in their own properties or in their embedded
  /// objects.
  func hasLinks(among types: [DynamicType]) -> Bool {
    var seen: Set<String> = []
    func hasLinks(_ type: DynamicType) -> Bool {
      guard seen.insert(type.name).inserted else { return false }
      return type.columns.contains { column in
        switch column.type.kind {
        case .link: true
        case .embedded: types.first { $0.name == column.type.target }.map { hasLinks($0) } ?? false
        default: false
        }
      }
    }
    return hasLinks(self)
  }
}
