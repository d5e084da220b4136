import Fief

extension Dictionary where Key == String, Value == AnyRealmValue {
  /// The entries of a dictionary in a value of any type, as pairs of a key and a value.
  public func asKeyValueSequence() -> [String: AnyRealmValue] { self }
}

extension AnyRealmValue {
  /// A list with the elements of another one.
  public static func list(_ elements: List<AnyRealmValue>) -> AnyRealmValue { .list(Array(elements)) }

  /// A dictionary with the entries of a map.
  public static func dictionary(_ entries: Map<String, AnyRealmValue>) -> AnyRealmValue {
    .dictionary(entries.dictionary)
  }
}

extension List {
  /// Whether another value is a list with equal elements, as `==` says it.
  public func isEqual(_ object: Any?) -> Bool { (object as? List).map { $0 == self } ?? false }
}

extension ValueCollection {
  /// Not available: predicates as texts are about objects.
  @available(*, unavailable, message: "write a closure: numbers.filter { $0 > 3 }")
  public func filter(_ format: String, _ args: Any...) -> [Element] { [] }

  /// The values in order, nil first.
  public func sorted<Value: Comparable>(ascending: Bool = true) -> [Element] where Element == Value? {
    let values = compactMap(\.self).sorted { ascending ? $0 < $1 : $0 > $1 }
    let missing = [Element](repeating: nil, count: reduce(0) { $0 + ($1 == nil ? 1 : 0) })
    return ascending ? missing + values : values + missing
  }
}

extension MutableSet {
  /// Whether another value is a set with equal elements, as `==` says it.
  public func isEqual(_ object: Any?) -> Bool { (object as? MutableSet).map { $0 == self } ?? false }
}

extension Map {
  /// The entries as pairs of a key and a value, in the order of the keys.
  public func asKeyValueSequence() -> Map { self }

  /// The value for a key, as the subscript has it.
  public func object(forKey key: String) -> Value? { self[key] }
}

extension List where Element: PersistableScalar {
  /// The place of the first value for which a closure is true, nil where there is none.
  public func index(matching isIncluded: (Element) throws -> Bool) rethrows -> Int? {
    try firstIndex(where: isIncluded)
  }
}

extension MutableSet {
  /// Not available: a set has no places.
  @available(
    *,
    unavailable,
    message: "a set has no places; write Array(set)[index], or set.first for any element"
  )
  public subscript(position: Int) -> Element? { nil }

  /// Not available: a set has no places.
  @available(*, unavailable, message: "a set has no order; write set.first for any element, or sort it")
  public var last: Element? { nil }
}
