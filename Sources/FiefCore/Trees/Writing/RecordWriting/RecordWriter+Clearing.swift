import LMDB

/// Clears links to deleted objects.
extension RecordWriter {
  /// Clears links of one object, and writes the object once.
  func removeLinks(
    _ links: [(column: ColumnEntry, target: [UInt8])],
    key: UnsafeRawBufferPointer,
    from table: Table
  ) throws {
    guard let records = table.records, var record = try transaction.get(records, key) else { return }
    // A damaged record must not be rewritten with a correct checksum.
    try table.view(record).verifyChecksum(key, of: table)
    var isChanged = false
    if try table.hasLargeCollections(record) {
      isChanged = try removeLargeLinks(links, of: [UInt8](record), key: key, from: table)
      guard let changed = try transaction.get(records, key) else { return }
      record = changed
    }
    var isSmallChanged = false
    let view = try table.view(record)
    let rewritten = try RecordEditor.rewrite(view, table: table, key: key) { candidate in
      let gone = DeletedKeys(links.filter { $0.column.id == candidate.id }.map(\.target))
      if gone.isEmpty { return .keep }
      var replacement = RecordEditor.Replacement.keep
      try table.payload(of: candidate, in: view) { payload in
        guard let payload, !CollectionMarker.isMarker(payload) || candidate.type.container == .none else {
          return
        }
        if candidate.type.container == .none {
          if gone.contains(payload) { replacement = .set(nil) }
        } else if let kept = try CollectionPayload.removing(
          gone.contains,
          from: payload,
          type: candidate.type
        ) {
          replacement = .set(kept)
        }
      }
      if case .set = replacement { isSmallChanged = true }
      return replacement
    }
    isChanged = isChanged || isSmallChanged
    guard isChanged else { return }
    if isSmallChanged {
      try rewritten.withUnsafeBytes { try put(key: key, record: $0, into: table, isCounted: false) }
    }
    guard let trace, trace.isLive(table, key) else { return }
    for link in links {
      trace.clearedLinks.append(
        Link(table: table, column: link.column, key: [UInt8](key), target: link.target)
      )
    }
  }

  /// Clears links in large collections, and updates the count in the record.
  ///
  /// - Returns: Whether a large collection contains such links.
  private func removeLargeLinks(
    _ links: [(column: ColumnEntry, target: [UInt8])],
    of record: [UInt8],
    key: UnsafeRawBufferPointer,
    from table: Table
  ) throws -> Bool {
    var isChanged = false
    for column in table.collections {
      let targets = links.filter { $0.column.id == column.column.id }.map(\.target)
      if targets.isEmpty { continue }
      var marker: CollectionMarker?
      try record.withUnsafeBytes { bytes in
        try table.payload(of: column.column, in: try table.view(bytes)) {
          marker = try $0.flatMap { try CollectionMarker($0) }
        }
      }
      guard let marker else { continue }
      let owner = Owner(column, table, key)
      let collection = try LargeCollection.at(marker, type: owner.type, tables: tables, in: transaction)
      try removeTargets(targets, isGone: DeletedKeys(targets).contains, from: collection, owner)
      isChanged = true
    }
    if isChanged {
      try record.withUnsafeBytes { try put(key: key, record: $0, into: table, isCounted: false) }
    }
    return isChanged
  }

  /// Clears new links to objects that other writes have deleted since these objects were read. The result is
  /// the same as if the save had preceded the deletions.
  func dropLinksToNothing() throws {
    guard let links = newLinks else { return }
    newLinks = nil
    for group in links.groups {
      let records = group.column.type.target.flatMap { tables[$0]?.records }
      try group.forEachTarget { target in
        if let records, try transaction.get(records, target) != nil { return }
        droppedLinks += 1
        try group.key.withUnsafeBytes {
          try removeLinks([(group.column, [UInt8](target))], key: $0, from: group.table)
        }
      }
    }
  }
}

/// The keys of deleted objects.
private struct DeletedKeys {
  private let sorted: [[UInt8]]

  init(_ targets: [[UInt8]]) {
    sorted = targets.count == 1 ? targets : targets.sorted { $0.lexicographicallyPrecedes($1) }
  }

  var isEmpty: Bool { sorted.isEmpty }

  func contains(_ target: UnsafeRawBufferPointer) -> Bool {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].elementsEqual(target) { return true }
      if sorted[middle].lexicographicallyPrecedes(target) { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
