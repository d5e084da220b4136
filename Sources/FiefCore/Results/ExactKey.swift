/// A dictionary key that compares values as a store does.
package struct ExactKey<Value: Hashable>: Hashable {
  package let value: Value

  package init(_ value: Value) { self.value = value }

  package static func == (first: ExactKey, second: ExactKey) -> Bool { first.value.isSame(as: second.value) }

  package func hash(into hasher: inout Hasher) { value.hashAsElement(into: &hasher) }
}

extension ExactKey: Sendable where Value: Sendable {}

extension Equatable {
  /// Whether a store treats both values as equal. A store compares texts by their UTF-8 bytes.
  ///
  /// Values of types that no property can have, such as keys computed by a closure, are compared with `==`.
  /// Substrings are compared by their bytes.
  package func isSame(as other: Self) -> Bool {
    if let text = self as? Substring, let other = other as? Substring { return text.hasSameBytes(as: other) }
    guard let type = Self.self as? any RealmCollectionValue.Type, type._linkType == nil else {
      return self == other
    }
    func areEqual<Stored: RealmCollectionValue>(_ type: Stored.Type) -> Bool {
      guard let first = self as? Stored, let second = other as? Stored else { return false }
      return type._areEqual(first, second)
    }
    return areEqual(type)
  }
}

extension Comparable {
  /// Whether the value precedes another value in a store, which orders texts by their UTF-8 bytes.
  package func isBefore(_ other: Self) -> Bool {
    if let text = self as? String, let other = other as? String { return text.precedes(other) }
    return self < other
  }
}

extension Sequence where Element: Equatable {
  /// Whether both sequences have equal values, as a store compares them, in the same order.
  func hasSameElements(as other: Self) -> Bool { elementsEqual(other) { $0.isSame(as: $1) } }
}
