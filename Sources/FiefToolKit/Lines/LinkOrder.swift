import Fief

/// An order of types in which those that are linked come first, as far as they do not link in circles.
enum LinkOrder {
  static func sorted(_ types: [DynamicType]) -> [DynamicType] {
    var result: [DynamicType] = []
    var seen: Set<String> = []
    func visit(_ type: DynamicType) {
      guard seen.insert(type.name).inserted else { return }
      for target in type.columns where target.type.kind == .link {
        if let other = types.first(where: { $0.name == target.type.target }) { visit(other) }
      }
      result.append(type)
    }
    for type in types { visit(type) }
    return result
  }

  /// Whether objects of a type have links, in themselves or in their parts.
  static func hasLinks(_ type: DynamicType, among types: [DynamicType]) -> Bool {
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
    return hasLinks(type)
  }
}
