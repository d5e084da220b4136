import LMDB

/// The changed members of a group, with the values that they had when their owners were last updated.
final class WaitingMembers {
  let group: DerivedGroup
  let keys = KeyTable()
  /// The former values, for each key one value per column of the group.
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

  /// Returns the values that an object still contributes to its owners, or `nil` if it contributes its
  /// current values.
  func former(_ key: UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? {
    guard let index = keys.index(of: key), !isDone[index] else { return nil }
    return former(at: index)
  }

  func former(at index: Int) -> ArraySlice<DerivedValue> {
    let count = group.columns.count
    return ArraySlice(values[(index * count)..<((index + 1) * count)])
  }

  /// Makes the object contribute its current values from now on.
  func finish(_ index: Int) { isDone[index] = true }
}
