import Fief

/// Compares the objects in a store with the expected objects.
enum ContentsComparison {
  /// Returns descriptions of all differences.
  static func differences(actual: [ObjectText], expected: [ObjectText]) -> [String] {
    var missing = Counts(expected)
    let unexpected = actual.filter { !missing.remove($0) }
    var rest = missing.rest(of: expected)
    var lines: [String] = []
    for object in unexpected {
      // An expected object with the same key is the same object with different values.
      if let key = object.key,
        let index = rest.firstIndex(where: {
          $0.key?.hasSameBytes(as: key) ?? false && $0.type == object.type
        })
      {
        lines += changes(from: rest.remove(at: index), to: object)
      } else {
        lines.append("  unexpected: \(text(of: object))")
      }
    }
    return lines + rest.map { "  missing: \(text(of: $0))" }
  }

  private static func changes(from expected: ObjectText, to actual: ObjectText) -> [String] {
    zip(expected.properties, actual.properties).filter { $0 != $1 }.map { expected, actual in
      "  \(name(of: actual, expected)): \(actual.value), expected \(expected.value)"
    }.map { line in
      line.replacing("  ", with: "  \(expected.type)(\(expected.key ?? "")).", maxReplacements: 1)
    }
  }

  private static func name(of actual: ObjectText.Property, _ expected: ObjectText.Property) -> String {
    actual.name == expected.name ? actual.name : "\(actual.name)/\(expected.name)"
  }

  private static func text(of object: ObjectText) -> String {
    "\(object.type) {" + object.properties.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}"
  }

  private struct Counts {
    private var counts: [ObjectText: Int] = [:]

    init(_ objects: [ObjectText]) {
      for object in objects { counts[object, default: 0] += 1 }
    }

    mutating func remove(_ object: ObjectText) -> Bool {
      guard let count = counts[object] else { return false }
      counts[object] = count == 1 ? nil : count - 1
      return true
    }

    func rest(of objects: [ObjectText]) -> [ObjectText] {
      var counts = self
      return objects.filter { counts.remove($0) }
    }
  }
}
