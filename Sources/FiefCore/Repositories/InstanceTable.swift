/// An instance in an ``InstanceTable``.
protocol KeyedInstance: AnyObject {
  /// The key, which never changes.
  var key: String { get }
}

/// Instances, sorted by the bytes of their keys.
///
/// For an array of ``ExactText`` the runtime would have to instantiate a type, but not for an array of
/// instances; see `SortedTable`.
struct InstanceTable<Instance: KeyedInstance> {
  private(set) var all: [Instance] = []

  /// The instance of a key, or `nil` if the table does not contain the key.
  subscript(key: String) -> Instance? {
    let index = firstIndex(notBelow: key)
    return hasKey(key, at: index) ? all[index] : nil
  }

  /// Inserts an instance, replacing an instance with the same key.
  mutating func insert(_ instance: Instance) {
    let index = firstIndex(notBelow: instance.key)
    if hasKey(instance.key, at: index) {
      all[index] = instance
    } else if index == all.count {
      all.append(instance)
    } else {
      all.insert(instance, at: index)
    }
  }

  /// Removes and returns the instance of a key, or returns `nil` if the table does not contain the key.
  mutating func remove(_ key: String) -> Instance? {
    let index = firstIndex(notBelow: key)
    return hasKey(key, at: index) ? all.remove(at: index) : nil
  }

  /// Removes the instances that meet a condition.
  mutating func removeAll(where isUnwanted: (Instance) -> Bool) { all.removeAll(where: isUnwanted) }

  private func hasKey(_ key: String, at index: Int) -> Bool {
    index < all.count && all[index].key.hasSameBytes(as: key)
  }

  private func firstIndex(notBelow key: String) -> Int {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].key.precedes(key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
