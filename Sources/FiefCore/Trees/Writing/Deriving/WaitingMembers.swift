import LMDB

/// The objects that the owners of links to them are derived of, and that were written: with the values that they
/// had when their owners were up to date.
final class WaitingMembers {
  let group: DerivedGroup
  let keys = KeyTable()
  /// The former values of each key, as many as the group has columns.
  @exclusivity(unchecked) private var values: ContiguousArray<DerivedValue> = []
  /// Whether the owners have the new values, for each key in order.
  @exclusivity(unchecked) private var isDone: ContiguousArray<Bool> = []

  init(_ group: DerivedGroup) { self.group = group }

  /// The bytes in memory.
  var size: Int { keys.size + values.count * MemoryLayout<DerivedValue>.stride + isDone.count }

  /// Notes an object that is about to be written; its first note stays.
  func note(_ key: UnsafeRawBufferPointer, _ former: () throws -> [DerivedValue]) throws {
    if keys.index(of: key) != nil { return }
    let found = try former()
    _ = keys.insert(key)
    values += found
    isDone.append(false)
  }

  /// The values that the owners know an object by; nil where these are those that it has.
  func former(_ key: UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? {
    guard let index = keys.index(of: key), !isDone[index] else { return nil }
    return former(at: index)
  }

  func former(at index: Int) -> ArraySlice<DerivedValue> {
    let count = group.columns.count
    return ArraySlice(values[(index * count)..<((index + 1) * count)])
  }

  /// Lets the object count with the values that it has from here on.
  func finish(_ index: Int) { isDone[index] = true }
}
