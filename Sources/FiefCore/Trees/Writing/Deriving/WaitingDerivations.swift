import LMDB

/// The changes that the derived properties of a store do not contain yet.
package final class WaitingDerivations {
  /// The changed owners, by the numbers of tables.
  @exclusivity(unchecked) private var owners: [WaitingOwners?]
  /// The changed members, by the numbers of groups.
  @exclusivity(unchecked) private var members: [WaitingMembers?] = []
  /// The members whose owners are being updated.
  @exclusivity(unchecked) private var current: WaitingMembers?

  init(tables: Int) { owners = Array(repeating: nil, count: tables) }

  /// The bytes in memory.
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

  /// The values that a member counts with for its owners; nil for those that it has.
  func former(_ group: DerivedGroup, _ key: UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? {
    if let current, current.group === group, let values = current.former(key) { return values }
    guard group.number < members.count else { return nil }
    return members[group.number]?.former(key)
  }

  /// Members that wait, of any group.
  func nextMembers() -> WaitingMembers? {
    for waiting in members where waiting != nil { return waiting }
    return nil
  }

  /// Begins to update the owners of members; later writes are noted again.
  func begin(_ waiting: WaitingMembers) {
    members[waiting.group.number] = nil
    current = waiting
  }

  func finish(_ done: WaitingMembers) { current = nil }

  /// Owners of a table that wait, which from here on do no longer.
  func take(_ derivations: TableDerivations) -> WaitingOwners? {
    guard derivations.number < owners.count else { return nil }
    defer { owners[derivations.number] = nil }
    return owners[derivations.number]
  }

  /// Owners that wait, which from here on do no longer.
  func takeOwners() -> WaitingOwners? {
    guard let index = owners.firstIndex(where: { $0 != nil }) else { return nil }
    defer { owners[index] = nil }
    return owners[index]
  }
}
