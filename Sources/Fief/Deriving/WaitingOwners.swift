import LMDB

/// The objects of one table whose derived properties are still to be brought up to date, with what has changed.
final class WaitingOwners {
  let derivations: TableDerivations
  let keys = KeyTable()
  /// As many for each key as the table has slots.
  @exclusivity(unchecked) private(set) var changes: ContiguousArray<DerivedChange> = []
  /// Whether anything has gone away, by keys.
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

  /// Notes that values are made anew, whatever else is noted.
  func makeAnew(_ columns: [DerivedColumn], at index: Int) {
    for column in columns { changes[index * derivations.slotCount + column.slot].isToBeMadeAnew = true }
  }

  /// Forgets what is noted of a value that was made anew.
  func forget(_ column: DerivedColumn, of key: UnsafeRawBufferPointer) {
    guard let index = keys.index(of: key) else { return }
    changes[index * derivations.slotCount + column.slot] = DerivedChange()
  }
}

/// The objects that the owners of links to them are derived of, and that were written: with the values that they
/// had when their owners were up to date.
final class WaitingMembers {
  let group: DerivedGroup
  let keys = KeyTable()
  /// As many for each key as the group has columns.
  @exclusivity(unchecked) private var values: ContiguousArray<DerivedValue> = []
  /// How many of them, in the order of their keys, the owners know the new values of.
  @exclusivity(unchecked) private var isDone: ContiguousArray<Bool> = []

  init(_ group: DerivedGroup) { self.group = group }

  /// The bytes in memory.
  var size: Int { keys.size + values.count * MemoryLayout<DerivedValue>.stride + isDone.count }

  /// Notes an object that is about to be written; what was noted first stays.
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

  /// From here on the object counts with the values that it has.
  func finish(_ index: Int) { isDone[index] = true }
}

/// What the derived properties of a store still have to be told.
final class WaitingDerivations {
  /// By the numbers of tables.
  @exclusivity(unchecked) private var owners: [WaitingOwners?]
  /// By the numbers of groups.
  @exclusivity(unchecked) private var members: [WaitingMembers?] = []

  init(tables: Int) { owners = Array(repeating: nil, count: tables) }

  var isEmpty: Bool { !owners.contains { $0 != nil } && !members.contains { $0 != nil } }

  /// The bytes in memory.
  var size: Int {
    owners.reduce(0) { $0 + ($1?.size ?? 0) } + members.reduce(0) { $0 + ($1?.size ?? 0) }
  }

  func owners(of derivations: TableDerivations) -> WaitingOwners {
    if let known = owners[derivations.number] { return known }
    let made = WaitingOwners(derivations)
    owners[derivations.number] = made
    return made
  }

  func knownOwners(of derivations: TableDerivations) -> WaitingOwners? { owners[derivations.number] }

  func members(of group: DerivedGroup) -> WaitingMembers {
    while members.count <= group.number { members.append(nil) }
    if let known = members[group.number] { return known }
    let made = WaitingMembers(group)
    members[group.number] = made
    return made
  }

  func knownMembers(of group: DerivedGroup) -> WaitingMembers? {
    group.number < members.count ? members[group.number] : nil
  }

  /// Members that wait, of any group.
  func nextMembers() -> WaitingMembers? { members.lazy.compactMap { $0 }.first }

  func finish(_ done: WaitingMembers) {
    if members[done.group.number] === done { members[done.group.number] = nil }
  }

  /// Owners that wait, which from here on do no longer.
  func takeOwners() -> WaitingOwners? {
    guard let index = owners.firstIndex(where: { $0 != nil }) else { return nil }
    defer { owners[index] = nil }
    return owners[index]
  }
}
