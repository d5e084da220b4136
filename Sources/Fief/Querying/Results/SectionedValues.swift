extension ValueCollection where Element: Comparable {
  /// The values in their order, in sections of what a closure makes of them.
  ///
  /// ```swift
  /// for section in person.tags.sectioned(by: { $0.prefix(1) }) {
  ///   print(section.key, section.count, section[0])
  /// }
  /// ```
  /// They are the values that the collection has now; sections come in the order of their first values.
  public func sectioned<Key: Hashable>(
    by key: (Element) throws -> Key,
    ascending: Bool = true
  ) rethrows -> SectionedValues<Key, Element> {
    try SectionedValues(sorted(ascending: ascending), key)
  }
}

extension ValueCollection {
  /// The values, nil before all others, in sections of what a closure makes of them.
  public func sectioned<Key: Hashable, Wrapped: Comparable>(
    by key: (Element) throws -> Key,
    ascending: Bool = true
  ) rethrows -> SectionedValues<Key, Element> where Element == Wrapped? {
    let values = sorted { first, second in
      guard let first, let second else { return first == nil && second != nil }
      return first < second
    }
    return try SectionedValues(ascending ? values : values.reversed(), key)
  }
}

/// Values in sections, as they were when the sections were made.
public struct SectionedValues<Key: Hashable, Value>: RandomAccessCollection {
  private var sections: [ValuesSection<Key, Value>] = []

  init(_ values: [Value], _ key: (Value) throws -> Key) rethrows {
    var places: [Key: Int] = [:]
    for value in values {
      let key = try key(value)
      if let place = places[key] {
        sections[place].values.append(value)
      } else {
        places[key] = sections.count
        sections.append(ValuesSection(key: key, values: [value]))
      }
    }
  }

  /// The keys of the sections.
  public var allKeys: [Key] { sections.map(\.key) }

  /// The place of the first section.
  public var startIndex: Int { 0 }

  /// The place behind the last section.
  public var endIndex: Int { sections.count }

  /// The section at a place, which has to be one of a section.
  public subscript(index: Int) -> ValuesSection<Key, Value> { sections[index] }
}

extension SectionedValues: Sendable where Key: Sendable, Value: Sendable {}
extension SectionedValues: Equatable where Value: Equatable {}

/// The values of a section.
public struct ValuesSection<Key: Hashable, Value>: RandomAccessCollection, Identifiable {
  /// What the closure has made of the values.
  public let key: Key
  fileprivate var values: [Value]

  /// What the closure has made of the values.
  public var id: Key { key }

  /// The place of the first value.
  public var startIndex: Int { 0 }

  /// The place behind the last value.
  public var endIndex: Int { values.count }

  /// The value at a place, which has to be one of a value.
  public subscript(index: Int) -> Value { values[index] }
}

extension ValuesSection: Sendable where Key: Sendable, Value: Sendable {}
extension ValuesSection: Equatable where Value: Equatable {}
