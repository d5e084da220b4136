import LMDB

/// The changes that the stored derived properties do not include yet.
package final class WaitingDerivations {
  /// The changed owners, indexed by the numbers of their tables.
  @exclusivity(unchecked) private var owners: [WaitingOwners?]
  /// The changed members, indexed by the numbers of their groups.
  @exclusivity(unchecked) private var members: [WaitingMembers?] = []
  /// The members whose owners are being updated.
  @exclusivity(unchecked) private var current: WaitingMembers?

  init(tables: Int) { owners = Array(repeating: nil, count: tables) }

  /// The size in memory, in bytes.
  var size: Int {
    owners.reduce(0) { $0 + ($1?.size ?? 0) } + members.reduce(0) { $0 + ($1?.size ?? 0) }
  }

  func owners(of derivations: TableDerivations) -> WaitingOwners {
    while owners.count <= derivations.number { owners.append(nil) }
    if let known = owners[derivations.number] { return known }
    let made = WaitingOwners(derivations)
    owners[derivations.number] = made
    return made
  }

  func knownOwners(of derivations: TableDerivations) -> WaitingOwners? {
    derivations.number < owners.count ? owners[derivations.number] : nil
  }

  func members(of group: DerivedGroup) -> WaitingMembers {
    while members.count <= group.number { members.append(nil) }
    if let known = members[group.number] { return known }
    let made = WaitingMembers(group)
    members[group.number] = made
    return made
  }

  /// Returns the values that a member still contributes to its owners, or `nil` if it contributes its current
  /// values.
  func former(_ group: DerivedGroup, _ key: UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? {
    if let current, current.group === group, let values = current.former(key) { return values }
    guard group.number < members.count else { return nil }
    return members[group.number]?.former(key)
  }

  /// Returns the changed members of any one group, or `nil` if no members have changed.
  func nextMembers() -> WaitingMembers? {
    for waiting in members where waiting != nil { return waiting }
    return nil
  }

  /// Begins to update the owners of members. Later writes of the members are recorded separately.
  func begin(_ waiting: WaitingMembers) {
    members[waiting.group.number] = nil
    current = waiting
  }

  func finish(_ done: WaitingMembers) { current = nil }

  /// Removes and returns the changed owners of a table.
  func take(_ derivations: TableDerivations) -> WaitingOwners? {
    guard derivations.number < owners.count else { return nil }
    defer { owners[derivations.number] = nil }
    return owners[derivations.number]
  }

  /// Removes and returns the changed owners of any one table.
  func takeOwners() -> WaitingOwners? {
    guard let index = owners.firstIndex(where: { $0 != nil }) else { return nil }
    defer { owners[index] = nil }
    return owners[index]
  }
}
