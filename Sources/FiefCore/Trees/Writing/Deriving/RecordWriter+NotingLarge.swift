import LMDB

/// Notes about the effects of changes of large collections on derived properties.
extension RecordWriter {
  /// Notes a member with a large collection of links; a change of the collection notes the owners that are added and removed.
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

  /// Notes an object that a large collection of links has got, or lost.
  func noteDerivations(ofTarget target: UnsafeRawBufferPointer, along column: UInt16, _ table: Table) {
    guard !derivesNothing, let derivations = currentDerivations(of: table) else { return }
    for group in derivations.watched where group.isInverse && group.linkID == column {
      guard let owner = group.owner.derivations else { continue }
      let owners = waitingDerivations().owners(of: owner)
      owners.makeAnew(group.columns, at: owners.index(of: target))
    }
  }

  /// Notes the owner of a large collection that has lost some elements and got others.
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

  /// Notes the owner of a large list whose elements are in another order: a sum may depend on that.
  func noteDerivations(ofOrderOf owner: Owner) {
    guard !derivesNothing, let derivations = currentDerivations(of: owner.table) else { return }
    for group in derivations.owned where !group.isInverse && group.linkID == owner.collection.column.id {
      let sums = group.columns.filter { $0.kind == .sum && !$0.isAdditive }
      if sums.isEmpty { continue }
      let owners = waitingDerivations().owners(of: derivations)
      owners.makeAnew(sums, at: owners.index(of: owner.key))
    }
  }

  /// In a migration a table may be one of the schema before, whose numbers are others.
  private func currentDerivations(of table: Table) -> TableDerivations? {
    guard tables.hasDerived else { return nil }
    return tables[table.name]?.derivations
  }
}
