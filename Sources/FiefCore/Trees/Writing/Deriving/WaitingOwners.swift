import LMDB

/// The objects of one table whose derived properties are still to be brought up to date, with their changes.
final class WaitingOwners {
  let derivations: TableDerivations
  let keys = KeyTable()
  /// The changes of each key, as many as the table has slots.
  @exclusivity(unchecked) private(set) var changes: ContiguousArray<DerivedChange> = []
  /// Whether a value was removed, by keys.
  @exclusivity(unchecked) private var losses: ContiguousArray<Bool> = []

  init(_ derivations: TableDerivations) { self.derivations = derivations }

  /// The bytes in memory.
  var size: Int { keys.size + changes.count * MemoryLayout<DerivedChange>.stride + losses.count }

  /// The number of an object, which waits from here on.
  func index(of key: UnsafeRawBufferPointer) -> Int {
    let (index, isNew) = keys.insert(key)
    if isNew {
      for _ in 0..<derivations.slotCount { changes.append(DerivedChange()) }
      losses.append(false)
    }
    return index
  }

  func change(of column: DerivedColumn, at index: Int) -> DerivedChange {
    changes[index * derivations.slotCount + column.slot]
  }

  func hasLoss(at index: Int) -> Bool { losses[index] }

  /// Notes a value that has come, or gone.
  func note(_ value: DerivedValue, of column: DerivedColumn, at index: Int, isAdded: Bool) {
    changes[index * derivations.slotCount + column.slot].note(value, of: column, isAdded: isAdded)
    if !isAdded { losses[index] = true }
  }

  /// Notes that values are to be recomputed, whatever else is noted.
  func makeAnew(_ columns: [DerivedColumn], at index: Int) {
    for column in columns { changes[index * derivations.slotCount + column.slot].isToBeMadeAnew = true }
  }

  /// Drops the notes of a value that was recomputed.
  func forget(_ column: DerivedColumn, of key: UnsafeRawBufferPointer) {
    guard let index = keys.index(of: key) else { return }
    changes[index * derivations.slotCount + column.slot] = DerivedChange()
  }
}
