extension JSON {
  /// The value, with arrays in place of the objects that look like one.
  var coerced: JSON {
    guard case .object(let object) = self else { return self }
    let members = object.members.map { JSONObject.Member(name: $0.name, value: $0.value.coerced) }
    return Self.elements(of: members).map(JSON.array) ?? .object(JSONObject(inOrder: members))
  }

  /// Returns the elements of an array whose indexes are the names; `nil` if the names are not those of an
  /// array, or if more than half of the elements would be missing.
  private static func elements(of members: [JSONObject.Member]) -> [JSON]? {
    var elements: [JSON] = []
    for member in members {
      let digits = member.name.utf8
      guard digits.count <= 10, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
        digits.count == 1 || digits.first != 0x30, let index = Int(member.name), index < 2 * members.count
      else { return nil }
      // The names are in the order of their values.
      while elements.count < index { elements.append(.null) }
      elements.append(member.value)
    }
    return elements.isEmpty ? nil : elements
  }
}
