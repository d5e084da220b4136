/// The definition of an index by the names of its columns: as a class declares it, or as a store has it.
package struct IndexName: Hashable, Sendable {
  package var kind: IndexEntry.Kind = .ordered
  package var isUnique = false
  package var isCaseInsensitive = false
  package var columns: [String]

  /// Whether it is an index of the values of one column and nothing more.
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

extension IndexName: CustomStringConvertible {
  /// As in `unique index (team, number)`.
  package var description: String {
    var words: [String] = []
    if isUnique { words.append("unique") }
    if isCaseInsensitive { words.append("case-insensitive") }
    if kind == .fullText { words.append("full-text") }
    return (words + ["index (\(columns.joined(separator: ", ")))"]).joined(separator: " ")
  }
}

extension IndexEntry {
  /// The index by the names of its columns.
  package func name(in type: TypeEntry) -> IndexName {
    IndexName(
      kind: kind,
      isUnique: isUnique,
      isCaseInsensitive: isCaseInsensitive,
      columns: columns.map { type.column($0)?.name ?? "?" }
    )
  }

  /// Whether it is an index of the values of one column and nothing more.
  var isPlain: Bool { kind == .ordered && !isUnique && !isCaseInsensitive && columns.count == 1 }

  /// Whether a name is that of the index.
  func isNamed(_ name: IndexName, in type: TypeEntry) -> Bool {
    guard kind == name.kind, isUnique == name.isUnique, isCaseInsensitive == name.isCaseInsensitive,
      columns.count == name.columns.count
    else { return false }
    for position in columns.indices {
      // By their indexes: a copy of a column counts five references.
      let found = type.columns.indices.first { type.columns[$0].id == columns[position] }
      guard let found, type.columns[found].name == name.columns[position] else { return false }
    }
    return true
  }
}

extension TypeEntry {
  /// Whether a column has an index of its values, by itself.
  func isIndexed(_ column: UInt16) -> Bool {
    indexes.contains { $0.kind == .ordered && $0.columns.count == 1 && $0.columns[0] == column }
  }

  /// Whether a column is in an index, by itself or with others.
  package func hasIndex(of column: UInt16) -> Bool { indexes.contains { $0.columns.contains(column) } }

  /// Brings the indexes to those that a class declares. An unchanged one keeps its number, and so its tree;
  /// numbers are never used again.
  ///
  /// - Parameter changed: the columns that have another type than before. An index of one of them is a new one,
  ///   unless it is a plain one, which ``MigrationIndexes`` can bring to the new type.
  /// - Parameter turned: the columns that were secret and are not, or the reverse. Each index of one is a new one.
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

  /// Takes away what indexes a column that was dropped.
  mutating func dropIndexesOfDroppedColumns() {
    let dropped = columns.filter(\.isDropped).map(\.id)
    indexes.removeAll { $0.columns.contains(where: dropped.contains) }
  }
}
