import Fief
import Foundation

extension Dictionary where Key == String, Value == AnyRealmValue {
  /// Returns the entries of a dictionary in an `AnyRealmValue`, as pairs of a key and a value.
  public func asKeyValueSequence() -> [String: AnyRealmValue] { self }
}

extension AnyRealmValue {
  /// Creates a list value from the elements of a list.
  public static func list(_ elements: List<AnyRealmValue>) -> AnyRealmValue { .list(Array(elements)) }

  /// Creates a dictionary value from the entries of a map.
  public static func dictionary(_ entries: Map<String, AnyRealmValue>) -> AnyRealmValue {
    .dictionary(entries.dictionary)
  }
}

extension List {
  /// Returns a Boolean value that indicates whether a value is a list with equal elements, like `==`.
  public func isEqual(_ object: Any?) -> Bool { (object as? List).map { $0 == self } ?? false }
}

extension ValueCollection {
  /// Not available: query texts refer to properties of objects.
  @available(*, unavailable, message: "write a closure: numbers.filter { $0 > 3 }")
  public func filter(_ format: String, _ args: Any...) -> [Element] { [] }

  /// Returns the values in order. `nil` is the smallest value, and texts are in the order of their UTF-8
  /// bytes.
  public func sorted<Value: Comparable>(ascending: Bool = true) -> [Element] where Element == Value? {
    let values = compactMap(\.self).sorted { ascending ? $0.isBefore($1) : $1.isBefore($0) }
    let missing = [Element](repeating: nil, count: reduce(0) { $0 + ($1 == nil ? 1 : 0) })
    return ascending ? missing + values : values + missing
  }
}

extension MutableSet {
  /// Returns a Boolean value that indicates whether a value is a set with equal elements, like `==`.
  public func isEqual(_ object: Any?) -> Bool { (object as? MutableSet).map { $0 == self } ?? false }
}

extension Map {
  /// Returns the entries as pairs of a key and a value, in the order of the keys.
  public func asKeyValueSequence() -> Map { self }

  /// Returns the value for a key, like the subscript.
  public func object(forKey key: String) -> Value? { self[key] }

  /// Returns the value for a key as an object, or nil if the map does not have the key.
  @_disfavoredOverload
  public func object(forKey key: AnyObject) -> AnyObject? {
    guard let key = key as? String, let value = self[key] else { return nil }
    return ObjectiveCValue.of((value as? any AnyOptional)?.anyWrapped ?? value) as AnyObject? ?? NSNull()
  }
}

extension List where Element: PersistableScalar {
  /// Returns the index of the first value for which a closure returns `true`, or `nil` if it returns `false`
  /// for all.
  public func index(matching isIncluded: (Element) throws -> Bool) rethrows -> Int? {
    try firstIndex(where: isIncluded)
  }
}

extension MutableSet {
  /// Not available: a set has no indexes.
  @available(
    *,
    unavailable,
    message: "a set has no indexes; write Array(set)[index], or set.first for any element"
  )
  public subscript(position: Int) -> Element? { nil }

  /// Not available: a set has no order.
  @available(*, unavailable, message: "a set has no order; write set.first for any element, or sort it")
  public var last: Element? { nil }
}
