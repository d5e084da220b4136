import Fief

/// Orders types so that linked types come before the types that link to them, as far as there are no cycles.
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
}
