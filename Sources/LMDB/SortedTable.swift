/// Values by key, in arrays sorted by the keys.
///
/// This replaces dictionaries in the code that opens a store. The runtime makes the storage of a dictionary
/// for each pair of types once, and searches the key's conformance to `Hashable` among all those of the
/// process: some 40 microseconds for each type of key, where Foundation is linked. Arrays of strings,
/// integers and instances need nothing made. For a handful of keys they are faster, too.
@usableFromInline package struct SortedTable<Key, Value> {
  @usableFromInline var keys: [Key] = []
  @usableFromInline var values: [Value] = []

  /// Makes an empty table.
  @inlinable
  package init() {}

  /// The keys in their order.
  @inlinable
  package var allKeys: [Key] { keys }

  /// The values in the order of their keys.
  @inlinable
  package var all: [Value] { values }

  /// Whether there is no key.
  @inlinable
  package var isEmpty: Bool { keys.isEmpty }
}

extension SortedTable where Key: Comparable {
  /// Makes a table of values in any order; of those with the same key the first one counts.
  @inlinable
  package init(_ values: [Value], by key: (Value) -> Key) {
    for value in values {
      let key = key(value)
      if self[key] == nil { self[key] = value }
    }
  }

  /// The value of a key; nil where there is none.
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

  /// Removes a key and gives the value that it had; nil where there was none.
  @inlinable
  package mutating func removeValue(of key: Key) -> Value? {
    let value = self[key]
    self[key] = nil
    return value
  }

  /// Removes the keys whose values fulfil a condition.
  @inlinable
  package mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    for index in values.indices.reversed() where isUnwanted(values[index]) {
      keys.remove(at: index)
      values.remove(at: index)
    }
  }

  @inlinable
  func firstIndex(notBelow key: Key) -> Int {
    // Keys mostly come in their order.
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
