/// An index described by the names of its columns, as declared by a class or as stored.
package struct IndexName: Hashable, Sendable {
  package var kind: IndexEntry.Kind = .ordered
  package var isUnique = false
  package var isCaseInsensitive = false
  package var columns: [String]

  /// Whether the index covers one column and has no other feature.
  package var isPlain: Bool { kind == .ordered && !isUnique && !isCaseInsensitive && columns.count == 1 }

  package init(
    kind: IndexEntry.Kind = .ordered,
    isUnique: Bool = false,
    isCaseInsensitive: Bool = false,
    columns: [String]
  ) {
    self.kind = kind
    self.isUnique = isUnique
    self.isCaseInsensitive = isCaseInsensitive
    self.columns = columns
  }
}

extension IndexEntry {
  /// Returns the description of the index by the names of its columns.
  package func name(in type: TypeEntry) -> IndexName {
    IndexName(
      kind: kind,
      isUnique: isUnique,
      isCaseInsensitive: isCaseInsensitive,
      columns: columns.map { type.column($0)?.name ?? "?" }
    )
  }

  /// Whether the index covers one column and has no other feature.
  var isPlain: Bool { kind == .ordered && !isUnique && !isCaseInsensitive && columns.count == 1 }

  /// Whether the index matches a description.
  func isNamed(_ name: IndexName, in type: TypeEntry) -> Bool {
    guard kind == name.kind, isUnique == name.isUnique, isCaseInsensitive == name.isCaseInsensitive,
      columns.count == name.columns.count
    else { return false }
    for position in columns.indices {
      // The search uses indices, because copying a column retains five references.
      let found = type.columns.indices.first { type.columns[$0].id == columns[position] }
      guard let found, type.columns[found].name == name.columns[position] else { return false }
    }
    return true
  }
}

extension TypeEntry {
  /// Whether a column has an index of its values alone.
  func isIndexed(_ column: UInt16) -> Bool {
    indexes.contains { $0.kind == .ordered && $0.columns.count == 1 && $0.columns[0] == column }
  }

  /// Whether a column is in any index.
  package func hasIndex(of column: UInt16) -> Bool { indexes.contains { $0.columns.contains(column) } }

  /// Replaces the indexes by the indexes that a class declares.
  ///
  /// An unchanged index keeps its number and therefore its tree. Numbers are never reused.
  ///
  /// - Parameters:
  ///   - changed: the columns whose type has changed. Their indexes are built again, except plain indexes,
  ///     which ``MigrationIndexes`` converts to the new type.
  ///   - turned: the columns that have become secret or are no longer secret. All their indexes are built
  ///     again.
  mutating func updateIndexes(
    to declared: [IndexName],
    changed: [UInt16] = [],
    turned: [UInt16] = []
  ) throws(FiefError) {
    if declared.isEmpty {
      indexes = []
      return
    }
    let before = indexes
    indexes = []
    for name in declared {
      let ids = name.columns.compactMap(id(ofColumnNamed:))
      guard ids.count == name.columns.count else { continue }
      var entry = IndexEntry(
        id: 0,
        kind: name.kind,
        isUnique: name.isUnique,
        isCaseInsensitive: name.isCaseInsensitive,
        columns: ids
      )
      let known = before.first {
        entry.id = $0.id
        return $0 == entry && ($0.isPlain || !$0.columns.contains(where: changed.contains))
          && !$0.columns.contains(where: turned.contains)
      }
      if known == nil {
        guard nextIndexID < UInt16.max else { throw Catalogue.usedUp(type: self.name) }
        entry.id = nextIndexID
        nextIndexID += 1
      }
      indexes.append(entry)
    }
  }

  /// Removes the indexes of dropped columns.
  mutating func dropIndexesOfDroppedColumns() {
    let dropped = columns.filter(\.isDropped).map(\.id)
    indexes.removeAll { $0.columns.contains(where: dropped.contains) }
  }
}
