import LMDB

extension PlanSearch {
  /// Whether the last rows are wanted, so that going backward finds them first.
  var isLast: Bool { if case .last? = description.limit { true } else { false } }

  /// The order in which a tree has to be walked to have the rows in the order of the description, or for the
  /// last ones in the opposite of it; nil where it does not have that.
  func walkOrder(_ match: TreeMatch) throws -> WalkOrder? {
    guard let order, !match.tree.isBacklinks || match.isInKeyOrder else { return nil }
    let columns = match.tree.columns
    var place = match.fixedColumns
    var ascends: Bool?
    for key in order.keys {
      guard place < columns.count, columns[place].id == key.column,
        columns[place].type.kind != .string || key.isFolded == match.tree.isFolded,
        ascends ?? key.ascending == key.ascending,
        !key.nilsAreGreatest || (place == match.fixedColumns && !match.tree.isRecords)
      else { return nil }
      ascends = key.ascending
      place += 1
    }
    guard match.isInKeyOrder && order.keys.isEmpty || isKeyOrder(columns[place...], match.tree) else {
      return nil
    }
    for column in match.fixedColumns..<place where try hasNegativeZero(column, match) { return nil }
    let nilsAreGreatest = order.keys.first?.nilsAreGreatest ?? false
    if nilsAreGreatest, nilRange(match) == nil { return nil }
    let isBackward = !(ascends ?? order.tiesAscend) != isLast
    // Groups that contain the whole key have no ties.
    let isKeyed =
      !table.primaryKey.isEmpty
      && table.primaryKey.allSatisfy { key in columns[..<place].contains { $0.id == key.id } }
    return WalkOrder(
      groupColumns: place,
      isBackward: isBackward,
      areTiesBackward: isKeyed ? isBackward : !order.tiesAscend != isLast,
      isByValue: !order.keys.isEmpty,
      nilsAreGreatest: nilsAreGreatest
    )
  }

  /// The ranges of a tree in the order of a walk, of which that of nil may be the last.
  func ranges(_ match: TreeMatch, _ order: WalkOrder) -> [ByteRange] {
    guard order.nilsAreGreatest, let nils = nilRange(match), let behind = nils.upper else {
      return match.ranges
    }
    return match.ranges.compactMap { $0.intersection(ByteRange(lower: behind, upper: nil)) }
      + match.ranges.compactMap { $0.intersection(nils) }
  }

  /// The entries with nil in the first column that has no fixed value.
  func nilRange(_ match: TreeMatch) -> ByteRange? {
    guard let fixed = match.fixedPrefix else { return nil }
    var encoder = KeyEncoder()
    encoder.appendNull()
    return ByteRange(prefix: fixed + encoder.bytes)
  }

  /// Whether columns that follow are those of the primary key, so that the entries behind them are in the order
  /// of the objects' keys anyway.
  private func isKeyOrder(_ columns: ArraySlice<ColumnEntry>, _ tree: PlannedTree) -> Bool {
    guard columns.count <= table.primaryKey.count else { return false }
    return zip(columns, table.primaryKey).allSatisfy {
      $0.id == $1.id && ($0.type.kind != .string || !tree.isFolded)
    }
  }

  /// Whether a column may have both zeros, which are equal in an order but not in a key.
  private func hasNegativeZero(_ place: Int, _ match: TreeMatch) throws -> Bool {
    let image: KeyElementImage
    switch match.tree.columns[place].type.kind {
    case .double: image = KeyElementImage(-0.0 as Double)
    case .float: image = KeyElementImage(-0.0 as Float)
    case .date: image = KeyElementImage(date: -0.0)
    default: return false
    }
    guard place == match.fixedColumns, match.fixedColumns == 0 || match.ranges.count == 1 else { return true }
    var prefix: [UInt8] = []
    if match.fixedColumns > 0 {
      guard let fixed = match.fixedPrefix else { return true }
      prefix = fixed
    }
    image.withUnsafeBytes { prefix.append(contentsOf: $0) }
    let cursor = try transaction.cursor(match.tree.database)
    guard try prefix.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) else { return false }
    return cursor.key.starts(with: prefix)
  }
}

extension TreeMatch {
  /// The elements of the columns that have one value.
  var fixedPrefix: [UInt8]? {
    if fixedColumns == 0 { return [] }
    guard let range = ranges.first else { return nil }
    return range.lower.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      for _ in 0..<fixedColumns {
        do { try decoder.skip() } catch { return nil }
      }
      return Array(range.lower[..<(bytes.count - decoder.remaining.count)])
    }
  }
}
