import Foundation
import LMDB

/// Records the effects of a written record on the derived properties of other objects.
///
/// Invariant: for each object, its stored values together with its notes are correct for the current records,
/// or a note indicates that the value must be recomputed.
extension RecordWriter {
  func noteDerivations(
    _ derivations: TableDerivations,
    _ table: Table,
    key: UnsafeRawBufferPointer,
    old: RecordView?,
    new: RecordView?
  ) throws {
    guard derivations.number < tables.all.count, tables.all[derivations.number] === table else {
      // During a migration, the table may belong to the previous schema, whose tables have different numbers.
      guard let current = tables[table.name], current !== table, let derivations = current.derivations else {
        return
      }
      return try noteDerivations(derivations, current, key: key, old: old, new: new)
    }
    let waiting = waitingDerivations()
    if let new, !derivations.owned.isEmpty {
      if let old {
        for group in derivations.owned where !group.isInverse {
          try noteMembership(group, waiting.owners(of: derivations), key, old, new)
        }
      } else {
        for group in derivations.owned { try noteOwner(group, derivations, waiting, key, new) }
      }
    }
    for group in derivations.watched {
      if group.isInverse {
        guard let owner = group.owner.derivations else { continue }
        try noteInverse(group, waiting.owners(of: owner), table, key, old, new)
      } else {
        try noteMember(group, waiting, key, old, new)
      }
    }
  }

  // MARK: Owners

  /// Records a new object. Its derived properties start with the values of an object without members.
  private func noteOwner(
    _ group: DerivedGroup,
    _ derivations: TableDerivations,
    _ waiting: WaitingDerivations,
    _ key: UnsafeRawBufferPointer,
    _ new: RecordView
  ) throws {
    let known = waiting.knownOwners(of: derivations).flatMap { owners in
      owners.keys.index(of: key).map { owners.hasLoss(at: $0) }
    }
    let isAnew: Bool
    if group.isInverse {
      // Links to the object may exist already. Links of this write are in the notes, unless a value of the
      // object was removed before.
      isAnew = try known == true || hasSources(group.link, to: key)
    } else {
      let payload = try group.linkPayload(in: new)
      isAnew = known != nil || payload.map { !$0.isEmpty && $0.count + Int($0[0]) > 1 } ?? false
    }
    if !isAnew { return }
    let owners = waiting.owners(of: derivations)
    owners.makeAnew(group.columns, at: owners.index(of: key))
  }

  /// Whether the tree of backlinks, without its buffered entries, has an entry for an object.
  private func hasSources(_ link: Table.LinkColumn, to key: UnsafeRawBufferPointer) throws -> Bool {
    let cursor = try transaction.cursor(link.backlinks)
    if key.count <= CompositeKey.firstLimit {
      return try cursor.seek(atOrAfter: key) && cursor.key.starts(with: key)
    }
    let prefix = CompositeKey.first([UInt8](key))
    return try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) } && cursor.key.starts(with: prefix)
  }

  /// Records that an object's members may have changed.
  private func noteMembership(
    _ group: DerivedGroup,
    _ owners: WaitingOwners,
    _ key: UnsafeRawBufferPointer,
    _ old: RecordView,
    _ new: RecordView
  ) throws {
    let before = try group.linkPayload(in: old)
    let after = try group.linkPayload(in: new)
    if Self.areSame(before, after) { return }
    if let marker = try before.flatMap({ try CollectionMarker($0) }),
      let other = try after.flatMap({ try CollectionMarker($0) }), marker.prefix == other.prefix
    {
      // A changed large collection records its members itself.
      return
    }
    let index = owners.index(of: key)
    if Self.isLarge(before) || Self.isLarge(after) { return owners.makeAnew(group.columns, at: index) }
    let change = try MembershipChange(before, after, type: group.link.column.type)
    try note(change, group, owners, at: index)
  }

  /// Records the members that an object has lost and gained.
  func note(_ change: MembershipChange, _ group: DerivedGroup, _ owners: WaitingOwners, at index: Int)
    throws
  {
    let rest = group.columns.filter { $0.isAdditive || $0.kind != .sum }
    owners.makeAnew(group.columns.filter { !$0.isAdditive && $0.kind == .sum }, at: index)
    if rest.isEmpty { return }
    // If most members must be read again, reading all of them costs about the same.
    if change.isLarge { return owners.makeAnew(rest, at: index) }
    let members = try MemberReader(group, transaction, former)
    for (keys, isAdded) in [(change.removed, false), (change.added, true)] {
      for member in keys {
        guard let values = try members.values(member) else { continue }
        for (value, column) in zip(values, group.columns) {
          owners.note(value, of: column, at: index, isAdded: isAdded)
        }
      }
    }
  }

  /// Returns the values that a member still contributes to its owners until the owners are updated.
  func former(_ group: DerivedGroup, _ key: UnsafeRawBufferPointer) -> ArraySlice<DerivedValue>? {
    waiting?.former(group, key)
  }

  // MARK: Members

  /// Records a change of a member to which its owners link.
  private func noteMember(
    _ group: DerivedGroup,
    _ waiting: WaitingDerivations,
    _ key: UnsafeRawBufferPointer,
    _ old: RecordView?,
    _ new: RecordView?
  ) throws {
    let before = try old.map { try group.values(in: $0, key: key) }
    if let before, let new, try before == group.values(in: new, key: key) { return }
    try waiting.members(of: group).note(key) {
      before ?? [DerivedValue](repeating: .none, count: group.columns.count)
    }
  }

  /// Records a change of a member that links to its owners.
  private func noteInverse(
    _ group: DerivedGroup,
    _ owners: WaitingOwners,
    _ table: Table,
    _ key: UnsafeRawBufferPointer,
    _ old: RecordView?,
    _ new: RecordView?
  ) throws {
    let before = try old.flatMap { try group.linkPayload(in: $0) }
    let after = try new.flatMap { try group.linkPayload(in: $0) }
    if Self.isLarge(before) || Self.isLarge(after) {
      return try noteLargeInverse(group, owners, table, key, old, new, after)
    }
    if let old, let new, Self.areSame(before, after) {
      guard let after, group.hasValues else { return }
      for column in group.columns {
        guard let source = column.value else { continue }
        let was = try source.value(in: old, of: table, key: key)
        let now = try source.value(in: new, of: table, key: key)
        if was == now { continue }
        try Self.forEachTarget(after, type: group.link.column.type) { target in
          let index = owners.index(of: target)
          owners.note(was, of: column, at: index, isAdded: false)
          owners.note(now, of: column, at: index, isAdded: true)
        }
      }
      return
    }
    if let old, let before { try note(group, owners, table, key, old, before, isAdded: false) }
    if let new, let after { try note(group, owners, table, key, new, after, isAdded: true) }
  }

  func waitingDerivations() -> WaitingDerivations {
    if let waiting { return waiting }
    let new = WaitingDerivations(tables: tables.all.count)
    waiting = new
    return new
  }

  private static func isLarge(_ payload: UnsafeRawBufferPointer?) -> Bool {
    payload.map(CollectionMarker.isMarker) ?? false
  }

  /// Records that a member now links to its owners, or no longer does.
  private func note(
    _ group: DerivedGroup,
    _ owners: WaitingOwners,
    _ table: Table,
    _ key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ links: UnsafeRawBufferPointer,
    isAdded: Bool
  ) throws {
    if group.isToOne {
      let index = owners.index(of: links)
      for column in group.columns {
        let value = try column.value?.value(in: view, of: table, key: key) ?? .none
        owners.note(value, of: column, at: index, isAdded: isAdded)
      }
      return
    }
    for column in group.columns {
      let value = try column.value?.value(in: view, of: table, key: key) ?? .none
      try Self.forEachTarget(links, type: group.link.column.type) { target in
        owners.note(value, of: column, at: owners.index(of: target), isAdded: isAdded)
      }
    }
  }

  /// Calls `body` once for each object to which a link column refers.
  private static func forEachTarget(
    _ payload: UnsafeRawBufferPointer,
    type: ColumnType,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    if type.container == .none { return body(payload) }
    // A set contains no duplicate links.
    if type.container == .set { return try CollectionPayload.forEachLink(payload, type: type, body) }
    var seen: Set<[UInt8]> = []
    try CollectionPayload.forEachLink(payload, type: type) { seen.insert([UInt8]($0)) }
    for target in seen { target.withUnsafeBytes(body) }
  }

  private static func areSame(_ first: UnsafeRawBufferPointer?, _ second: UnsafeRawBufferPointer?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    guard first.count == second.count else { return false }
    guard let start = first.baseAddress, let other = second.baseAddress else { return true }
    return memcmp(start, other, first.count) == 0
  }
}

extension DerivedGroup {
  /// Returns the payload of the links in a record of the table that stores them, or `nil` if the record has
  /// no links.
  func linkPayload(in view: RecordView) throws -> UnsafeRawBufferPointer? {
    guard let place = view.layout.place(ofColumn: linkID), place.form == .varying, !view.isNil(place) else {
      return nil
    }
    return try view.varying(place)
  }
}
