import LMDB

/// The objects of one table whose derived properties are outdated, with the changes to apply.
final class WaitingOwners {
  let derivations: TableDerivations
  let keys = KeyTable()
  /// The changes to apply, for each key one change per slot of the table.
  @exclusivity(unchecked) private(set) var changes: ContiguousArray<DerivedChange> = []
  /// Whether a value was removed, by the index of the key.
  @exclusivity(unchecked) private var losses: ContiguousArray<Bool> = []

  init(_ derivations: TableDerivations) { self.derivations = derivations }

  /// The size in memory, in bytes.
  var size: Int { keys.size + changes.count * MemoryLayout<DerivedChange>.stride + losses.count }

  /// Returns the index of an object, and adds the object if necessary.
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

  /// Records an added or removed value.
  func note(_ value: DerivedValue, of column: DerivedColumn, at index: Int, isAdded: Bool) {
    changes[index * derivations.slotCount + column.slot].note(value, of: column, isAdded: isAdded)
    if !isAdded { losses[index] = true }
  }

  /// Records that values must be recomputed. Other notes about them no longer matter.
  func makeAnew(_ columns: [DerivedColumn], at index: Int) {
    for column in columns { changes[index * derivations.slotCount + column.slot].isToBeMadeAnew = true }
  }

  /// Drops the notes of a value that was recomputed.
  func forget(_ column: DerivedColumn, of key: UnsafeRawBufferPointer) {
    guard let index = keys.index(of: key) else { return }
    changes[index * derivations.slotCount + column.slot] = DerivedChange()
  }
}
