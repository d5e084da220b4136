import LMDB

extension PlanSearch {
  /// Whether the last rows are wanted, so that a backward walk finds them first.
  var isLast: Bool { if case .last? = description.limit { true } else { false } }

  /// Returns the order of a walk through a tree that yields the rows in the query's order, or in reverse if
  /// the last rows are wanted. Returns `nil` if no walk through the tree does.
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

  /// Returns the ranges of a tree in the order of a walk. The range of nil may be the last.
  func ranges(_ match: TreeMatch, _ order: WalkOrder) -> [ByteRange] {
    guard order.nilsAreGreatest, let nils = nilRange(match), let behind = nils.upper else {
      return match.ranges
    }
    return match.ranges.compactMap { $0.intersection(ByteRange(lower: behind, upper: nil)) }
      + match.ranges.compactMap { $0.intersection(nils) }
  }

  /// Returns the entries with nil in the first column whose value is not fixed.
  func nilRange(_ match: TreeMatch) -> ByteRange? {
    guard let fixed = match.fixedPrefix else { return nil }
    var encoder = KeyEncoder()
    encoder.appendNull()
    return ByteRange(prefix: fixed + encoder.bytes)
  }

  /// Whether the remaining columns are the columns of the primary key, so that their entries are already in
  /// the order of the objects' keys.
  private func isKeyOrder(_ columns: ArraySlice<ColumnEntry>, _ tree: PlannedTree) -> Bool {
    guard columns.count <= table.primaryKey.count else { return false }
    return zip(columns, table.primaryKey).allSatisfy {
      $0.id == $1.id && ($0.type.kind != .string || !tree.isFolded)
    }
  }

  /// Whether a column may contain both zeros, which are equal in an order but different in a key.
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
  /// The elements of the leading columns that have a single value.
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
