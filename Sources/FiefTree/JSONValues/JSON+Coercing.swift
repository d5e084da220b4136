extension JSON {
  /// The value, with arrays in place of the objects that look like one.
  var coerced: JSON { withArrays ?? self }

  /// The value with arrays, or `nil` if it has no object that looks like an array. Most values have none, and
  /// are not copied.
  private var withArrays: JSON? {
    guard case .object(let object) = self else { return nil }
    var changed: [JSONObject.Member]?
    for index in object.members.indices {
      // Most members are leaves, which are not copied.
      guard case .object = object.members[index].value, let value = object.members[index].value.withArrays
      else { continue }
      if changed == nil { changed = object.members }
      changed?[index].value = value
    }
    if let elements = Self.elements(of: changed ?? object.members) { return .array(elements) }
    return changed.map { .object(JSONObject(inOrder: $0)) }
  }

  /// Returns the elements of an array whose indexes are the names; `nil` if a name is not an
  /// index, or if more than half of the elements would be missing.
  static func elements(of members: [JSONObject.Member]) -> [JSON]? {
    var elements: [JSON] = []
    for member in members {
      guard let index = index(member.name), index < 2 * members.count else { return nil }
      // The names are in the order of their values.
      while elements.count < index { elements.append(.null) }
      elements.append(member.value)
    }
    return elements.isEmpty ? nil : elements
  }

  /// Returns the index of an element that a name is; `nil` if it has other characters or leading zeros.
  static func index(_ name: String) -> Int? {
    let digits = name.utf8
    guard digits.count <= 10, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      digits.count == 1 || digits.first != 0x30
    else { return nil }
    return Int(name)
  }
}
