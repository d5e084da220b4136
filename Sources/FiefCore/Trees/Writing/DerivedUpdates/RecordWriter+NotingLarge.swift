import LMDB

/// Records the effects of changes of large collections on derived properties.
extension RecordWriter {
  /// Records a change of a member with a large collection of links. A change of the collection itself records
  /// the owners that were added and removed.
  func noteLargeInverse(
    _ group: DerivedGroup,
    _ owners: WaitingOwners,
    _ table: Table,
    _ key: UnsafeRawBufferPointer,
    _ old: RecordView?,
    _ new: RecordView?,
    _ links: UnsafeRawBufferPointer?
  ) throws {
    guard let old, let new, let links, group.hasValues else { return }
    let isSame = try group.columns.allSatisfy { column in
      guard let source = column.value else { return true }
      return try source.value(in: old, of: table, key: key) == source.value(in: new, of: table, key: key)
    }
    if isSame { return }
    let type = group.link.column.type
    try LargeCollection.forEachLink(in: links, type: type, tables: tables, in: transaction) { target in
      owners.makeAnew(group.columns, at: owners.index(of: target))
    }
  }

  /// Records that a large collection of links gained or lost an object.
  func noteDerivations(ofTarget target: UnsafeRawBufferPointer, along column: UInt16, _ table: Table) {
    guard !derivesNothing, let derivations = currentDerivations(of: table) else { return }
    for group in derivations.watched where group.isInverse && group.linkID == column {
      guard let owner = group.owner.derivations else { continue }
      let owners = waitingDerivations().owners(of: owner)
      owners.makeAnew(group.columns, at: owners.index(of: target))
    }
  }

  /// Records that the owner of a large collection has lost some elements and gained others.
  func noteDerivations(ofMembersOf owner: Owner, gone: ElementRun, come: ElementRun) throws {
    guard !derivesNothing, let derivations = currentDerivations(of: owner.table) else { return }
    for group in derivations.owned where !group.isInverse && group.linkID == owner.collection.column.id {
      let owners = waitingDerivations().owners(of: derivations)
      try gone.payload.withUnsafeBytes { gone in
        try come.payload.withUnsafeBytes { come in
          let change = try MembershipChange(gone, come, type: owner.type, isLarge: false)
          try note(change, group, owners, at: owners.index(of: owner.key))
        }
      }
    }
  }

  /// Records that the order of a large list has changed. A floating-point sum may depend on the order.
  func noteDerivations(ofOrderOf owner: Owner) {
    guard !derivesNothing, let derivations = currentDerivations(of: owner.table) else { return }
    for group in derivations.owned where !group.isInverse && group.linkID == owner.collection.column.id {
      let sums = group.columns.filter { $0.kind == .sum && !$0.isAdditive }
      if sums.isEmpty { continue }
      let owners = waitingDerivations().owners(of: derivations)
      owners.makeAnew(sums, at: owners.index(of: owner.key))
    }
  }

  /// Returns the derivations of a table in the current schema. During a migration, the table may belong to
  /// the previous schema, whose tables have different numbers.
  private func currentDerivations(of table: Table) -> TableDerivations? {
    guard tables.hasDerived else { return nil }
    return tables[table.name]?.derivations
  }
}
