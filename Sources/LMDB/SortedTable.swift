/// A table of values by key, in arrays that are sorted by the keys.
///
/// It replaces dictionaries in the code that opens a store. For each pair of types, the runtime instantiates
/// a dictionary's storage once, and searches the key's conformance to `Hashable` among all conformances of
/// the process: about 40 microseconds for each type of key if Foundation is linked. Arrays of strings,
/// integers and class instances need no instantiation. For a handful of keys, they are also faster.
@usableFromInline package struct SortedTable<Key, Value> {
  @usableFromInline var keys: [Key] = []
  @usableFromInline var values: [Value] = []

  /// Creates an empty table.
  @inlinable
  package init() {}

  /// The keys, in order.
  @inlinable
  package var allKeys: [Key] { keys }

  /// The values, in the order of their keys.
  @inlinable
  package var all: [Value] { values }

  /// Whether the table is empty.
  @inlinable
  package var isEmpty: Bool { keys.isEmpty }
}

extension SortedTable where Key: Comparable {
  /// Creates a table from values in any order. The first of several values with the same key is kept.
  @inlinable
  package init(_ values: [Value], by key: (Value) -> Key) {
    for value in values {
      let key = key(value)
      if self[key] == nil { self[key] = value }
    }
  }

  /// The value for a key, or `nil` if the table does not contain the key.
  @inlinable
  package subscript(key: Key) -> Value? {
    get {
      let index = firstIndex(notBelow: key)
      return index < keys.count && keys[index] == key ? values[index] : nil
    }
    set {
      let index = firstIndex(notBelow: key)
      let isPresent = index < keys.count && keys[index] == key
      if isPresent {
        if let newValue {
          values[index] = newValue
        } else {
          keys.remove(at: index)
          values.remove(at: index)
        }
      } else if let newValue {
        if index == keys.count {
          keys.append(key)
          values.append(newValue)
        } else {
          keys.insert(key, at: index)
          values.insert(newValue, at: index)
        }
      }
    }
  }

  /// Removes a key and returns its value, or `nil` if the table does not contain the key.
  @inlinable
  package mutating func removeValue(of key: Key) -> Value? {
    let value = self[key]
    self[key] = nil
    return value
  }

  /// Removes all keys whose values satisfy a condition.
  @inlinable
  package mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    for index in values.indices.reversed() where isUnwanted(values[index]) {
      keys.remove(at: index)
      values.remove(at: index)
    }
  }

  @inlinable
  func firstIndex(notBelow key: Key) -> Int {
    // Keys usually arrive in order.
    guard let last = keys.last, !(last < key) else { return keys.count }
    var low = 0
    var high = keys.count - 1
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SortedTable: Sendable where Key: Sendable, Value: Sendable {}
