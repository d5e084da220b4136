import LMDB

/// Updates derived properties at the end of a write and before reads.
extension RecordWriter {
  /// The maximum memory for notes while the owners of members are updated, in bytes.
  private static let largestPass = 8 << 20

  /// A limit on the rounds of updates. It exceeds the longest chain of derived properties that a schema
  /// allows.
  private static let mostRounds = 1 << 16

  /// Updates all outdated derived properties. Each object is read and written once, in the order of the keys.
  /// Properties that are derived from derived properties follow, until all are up to date.
  ///
  /// Backlinks must already be in their trees.
  func flushDerivations() throws {
    isRecomputing = true
    defer { isRecomputing = false }
    do {
      try updateAll()
      try flushBuffers()
    } catch {
      derivingFailure = error
      throw error
    }
  }

  private func updateAll() throws {
    var rounds = 0
    while let waiting {
      rounds += 1
      guard rounds < Self.mostRounds else {
        throw FiefError(
          .damagedStore,
          "Derived properties depend on themselves.",
          store: tables.storeName
        )
      }
      if let members = waiting.nextMembers() {
        try updateOwners(of: members, waiting)
      } else if let owners = waiting.takeOwners() {
        try update(owners, waiting)
      } else {
        self.waiting = nil
      }
    }
  }

  // MARK: Members

  /// Updates the derived properties of the owners of changed members.
  private func updateOwners(of members: WaitingMembers, _ waiting: WaitingDerivations) throws {
    waiting.begin(members)
    defer { waiting.finish(members) }
    for index in members.keys.sorted() {
      try members.keys.withKey(at: index) { key in
        try updateOwners(of: key, index, members, waiting)
      }
    }
  }

  private func updateOwners(
    of key: UnsafeRawBufferPointer,
    _ index: Int,
    _ members: WaitingMembers,
    _ waiting: WaitingDerivations
  ) throws {
    let group = members.group
    let before = Array(members.former(at: index))
    // From now on the owners have the member's new values, or receive them below.
    members.finish(index)
    let reader = try MemberReader(group, transaction, former)
    let after = try reader.values(key) ?? [DerivedValue](repeating: .none, count: before.count)
    if before == after { return }
    guard let derivations = group.owner.derivations else { return }
    // A list or a map may contain the member several times; the number is unknown without reading it.
    let isOnce = group.link.column.type.container == .none || group.link.column.type.container == .set
    var isPassed = false
    try forEachSource(of: group.link, to: key) { source in
      let owners = waiting.owners(of: derivations)
      let owner = owners.index(of: source)
      for (number, column) in group.columns.enumerated() where before[number] != after[number] {
        if isPassed || column.isAdditive && !isOnce {
          owners.makeAnew([column], at: owner)
        } else {
          owners.note(before[number], of: column, at: owner, isAdded: false)
          owners.note(after[number], of: column, at: owner, isAdded: true)
        }
      }
      guard owners.size > Self.largestPass, let full = waiting.take(derivations) else { return }
      try update(full, waiting)
      // Later owners may already have been recomputed with the new values.
      isPassed = true
    }
  }

  /// Calls `body` with the key of each object that links to another one. `body` may write to the tree.
  private func forEachSource(
    of link: Table.LinkColumn,
    to key: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let prefix = CompositeKey.first([UInt8](key))
    var last = prefix
    var batch: [ObjectKey] = []
    repeat {
      batch.removeAll(keepingCapacity: true)
      let cursor = try transaction.cursor(link.backlinks)
      var found = try last.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
      // The entry at which the last batch ended, if it still exists, is skipped.
      if found, last.count > prefix.count, cursor.key.elementsEqual(last) { found = try cursor.next() }
      while found, batch.count < 4096, cursor.key.starts(with: prefix) {
        batch.append(
          CompositeKey.objectKey(key: cursor.key, value: cursor.value, prefixCount: prefix.count)
        )
        if batch.count == 4096 { last = [UInt8](cursor.key) }
        found = try cursor.next()
      }
      for source in batch { try source.bytes.withUnsafeBytes(body) }
    } while batch.count == 4096
  }

  // MARK: Owners

  /// Writes the outdated objects that still exist.
  private func update(_ owners: WaitingOwners, _ waiting: WaitingDerivations) throws {
    let derivations = owners.derivations
    guard derivations.number < tables.all.count else { return }
    let table = tables.all[derivations.number]
    let calculation = DerivedCalculation(tables: tables, transaction: transaction) { waiting.former($0, $1) }
    let slots = derivations.columns.filter { $0.slot >= 0 }
    for index in owners.keys.sorted() {
      try boundBuffers()
      try owners.keys.withKey(at: index) { key in
        guard let old = try cursor(of: table).get(key) else { return }
        let view = try table.view(old)
        // A damaged record must not be rewritten with a correct checksum.
        try view.verifyChecksum(key, of: table)
        var payloads: [[UInt8]?] = Array(repeating: nil, count: slots.count)
        for group in derivations.owned {
          var made: [DerivedValue]?
          for (number, column) in group.columns.enumerated() {
            var stored = DerivedValue.none
            try table.payload(of: column.column, in: view) {
              stored = DerivedValue($0, kind: column.column.type.kind)
            }
            let value: DerivedValue
            if let known = column.value(after: owners.change(of: column, at: index), of: stored) {
              value = known
            } else {
              let all = try made ?? calculation.values(of: group, key: key, view: view)
              made = all
              value = all[number]
              // The new value already includes the changes that were recorded in the meantime.
              waiting.knownOwners(of: derivations)?.forget(column, of: key)
            }
            payloads[column.slot] = value.payload(column.column.type.kind)
          }
        }
        guard let new = try Self.record(of: table, view: view, key: key, slots, payloads) else { return }
        try new.withUnsafeBytes { try replaceDerived(key, old: old, new: $0, table) }
      }
    }
  }

  private func replaceDerived(
    _ key: UnsafeRawBufferPointer,
    old: UnsafeRawBufferPointer,
    new: UnsafeRawBufferPointer,
    _ table: Table
  ) throws {
    if let collector { try noteChange(of: key, from: old, to: new, in: table, collector) }
    try updateTrees(of: table, key: key, old: old, new: new)
    if let earlierState { try earlierState.keep(key, of: table) }
    try store(key, new, in: table, try cursor(of: table))
    try didDerive?(table, key, new)
  }
}
