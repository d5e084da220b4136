import LMDB

/// The written objects of a group's members, with the values that they had when their owners were last up to
/// date.
final class WaitingMembers {
  let group: DerivedGroup
  let keys = KeyTable()
  /// The former values of each key, one for each column of the group.
  @exclusivity(unchecked) private var values: ContiguousArray<DerivedValue> = []
  /// Whether the owners have received the new values, by the index of the key.
  @exclusivity(unchecked) private var isDone: ContiguousArray<Bool> = []

  init(_ group: DerivedGroup) { self.group = group }

  /// The size in memory, in bytes.
  var size: Int { keys.size + values.count * MemoryLayout<DerivedValue>.stride + isDone.count }

  /// Records an object that is about to be written. Only the first call for an object has an effect.
  func note(_ key: UnsafeRawBufferPointer, _ former: () throws -> [DerivedValue]) throws {
    if keys.index(of: key) != nil { return }
    let found = try former()
    _ = keys.insert(key)
    values += found
    isDone.append(false)
  }

  /// Returns the values with which an object counts for its owners, or `nil` if its current values apply.
  func former(_ key: UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? {
    guard let index = keys.index(of: key), !isDone[index] else { return nil }
    return former(at: index)
  }

  func former(at index: Int) -> ArraySlice<DerivedValue> {
    let count = group.columns.count
    return ArraySlice(values[(index * count)..<((index + 1) * count)])
  }

  /// Makes the object count with its current values from now on.
  func finish(_ index: Int) { isDone[index] = true }
}
