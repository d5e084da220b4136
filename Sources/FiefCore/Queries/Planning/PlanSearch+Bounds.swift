import LMDB

/// The bounds of a query in a tree that has the query's order.
struct PlannedBounds {
  /// The ranges of the tree between the bounds.
  var ranges: [ByteRange]
  /// The bounds of the groups that contain the start and the end, if groups and ties have different
  /// directions.
  var groups: [WalkBound] = []
}

extension PlanSearch {
  /// A position in a tree: all entries with a prefix, or a single entry.
  private struct Place {
    var bytes: [UInt8]
    /// The number of leading bytes that identify the group.
    var groupCount: Int
    /// Whether the position is a single entry rather than a whole group.
    var isEntry: Bool

    var group: Place { Place(group: Array(bytes[..<groupCount])) }

    init(group: [UInt8]) {
      bytes = group
      groupCount = group.count
      isEntry = false
    }

    init(entry: [UInt8], groupCount: Int) {
      bytes = entry
      self.groupCount = groupCount
      isEntry = true
    }

    /// Returns the first bytes after the position, or `nil` if nothing can follow it.
    consuming func successor() -> [UInt8]? {
      isEntry ? ByteRange.successor(of: bytes) : keySuccessor(ofPrefix: bytes)
    }

    /// Returns the range of entries from the position on, or up to it.
    consuming func range(_ isInclusive: Bool, isAfter: Bool) -> ByteRange {
      switch (isAfter, isInclusive) {
      case (true, true): ByteRange(lower: bytes, upper: nil)
      case (true, false): successor().map { ByteRange(lower: $0, upper: nil) } ?? .empty
      case (false, true): ByteRange(lower: [], upper: successor())
      case (false, false): ByteRange(lower: [], upper: bytes)
      }
    }
  }

  /// Returns the description's bounds in a tree; see ``bounds(_:_:_:start:end:)``.
  func bounds(_ ranges: [ByteRange], _ match: TreeMatch, _ order: WalkOrder) throws -> PlannedBounds? {
    try bounds(ranges, match, order, start: description.start, end: description.end)
  }

  /// Returns the ranges of keys between the description's bounds, if the keys have its order; `nil` if ranges
  /// of keys cannot express the bounds.
  func keyBounds(isBackward: Bool) throws -> [ByteRange]? {
    if description.start == nil, description.end == nil { return [.all] }
    let match = TreeMatch(tree: PlannedTree(keysOf: table, records: records), ranges: [.all])
    return try bounds(match.ranges, match, .keys(isBackward: isBackward))?.ranges
  }

  /// Returns bounds in a tree, or `nil` if ranges of the tree cannot express them, so that rows must be
  /// compared instead.
  ///
  /// - Parameter order: the order in which the tree is walked.
  func bounds(
    _ ranges: [ByteRange],
    _ match: TreeMatch,
    _ order: WalkOrder,
    start: QueryBound?,
    end: QueryBound?
  ) throws -> PlannedBounds? {
    // In a tree of backlinks, a key's position depends on the whole range of the target.
    if match.tree.isBacklinks { return nil }
    var nils: ByteRange?
    if order.nilsAreGreatest {
      guard let range = nilRange(match) else { return nil }
      nils = range
    }
    var bounds = PlannedBounds(ranges: ranges)
    if let start {
      guard try cut(&bounds, by: start, isStart: true, match, order, nils) else { return nil }
    }
    if let end {
      guard try cut(&bounds, by: end, isStart: false, match, order, nils) else { return nil }
    }
    return bounds
  }

  /// Restricts the ranges to one side of a bound. Returns false if that is not possible.
  private func cut(
    _ bounds: inout PlannedBounds,
    by bound: QueryBound,
    isStart: Bool,
    _ match: TreeMatch,
    _ order: WalkOrder,
    _ nils: ByteRange?
  ) throws -> Bool {
    guard bound.values.count <= description.order.count else { return false }
    if nils != nil, let first = self.order?.keys.first, first.place >= bound.values.count { return false }
    guard let place = try place(bound, match, order) else { return false }
    let isNil = nils.map { place.bytes[..<place.groupCount].starts(with: $0.lower) } ?? false
    // A walk to the last rows has the opposite direction.
    let isBackward = order.isBackward != isLast
    let tiesGoBackward = order.areTiesBackward != isLast
    // Whether the wanted rows are after the position in byte order.
    let isAfter = isStart != isBackward
    let other: ByteRange
    if place.isEntry, !order.isPlain {
      let group = place.group
      let rest = place.range(bound.isInclusive, isAfter: isStart != tiesGoBackward)
      bounds.groups.append(WalkBound(group: group.bytes, rest: rest))
      other = group.range(true, isAfter: isAfter)
    } else {
      other = place.range(bound.isInclusive, isAfter: isAfter)
    }
    bounds.ranges = Self.cut(bounds.ranges, to: other, isAfter: isAfter, nils, isNil: isNil)
    return true
  }

  /// - Parameters:
  ///   - nils: the range of nil, if nil is above all values. Every range is either entirely inside or
  ///     entirely outside it.
  ///   - isNil: whether the bound is in the range of nil.
  private static func cut(
    _ ranges: [ByteRange],
    to other: ByteRange,
    isAfter: Bool,
    _ nils: ByteRange?,
    isNil: Bool
  ) -> [ByteRange] {
    guard let nils else {
      if ranges.count == 1, ranges[0].isAll { return other.isEmpty ? [] : [other] }
      return ranges.compactMap { $0.intersection(other) }
    }
    return ranges.compactMap { range in
      let hasNils = range.intersection(nils) != nil
      if hasNils == isNil { return range.intersection(other) }
      return hasNils == isAfter ? range : nil
    }
  }

  private func place(_ bound: QueryBound, _ match: TreeMatch, _ order: WalkOrder) throws -> Place? {
    guard let plan = self.order, let fixed = match.fixedPrefix else {
      return nil
    }
    var group: [UInt8] = []
    // Reserves room for the key, and for the byte that makes a successor.
    group.reserveCapacity(fixed.count + 16 * plan.keys.count + (bound.key?.bytes.count ?? 0) + 1)
    group += fixed
    var isWhole = true
    for (index, key) in plan.keys.enumerated() {
      guard key.place < bound.values.count else {
        isWhole = false
        break
      }
      let kind = match.tree.columns[match.fixedColumns + index].type.kind
      guard Self.append(bound.values[key.place], kind, isFolded: match.tree.isFolded, to: &group) else {
        return nil
      }
    }
    guard isFixedAsBound(bound, plan), match.tree.isRecords || group.count <= ElementBounds.limit else {
      return nil
    }
    guard isWhole, let key = try bound.key ?? keyOfValues(bound) else {
      // The values of the primary key still matter, even if they are not part of the order.
      let isKeyMeant = bound.values.indices.contains { place in
        !plan.keys.contains { $0.place == place } && !plan.fixed.contains { $0.place == place }
      }
      return bound.key == nil && !isKeyMeant ? Place(group: group) : nil
    }
    if match.tree.isRecords { return Place(entry: key.bytes, groupCount: min(group.count, key.bytes.count)) }
    if plan.keys.isEmpty, match.isWhole, let range = match.ranges.first {
      // Every column has a single value, although a condition may not be exact about it.
      group = range.lower
      guard key.bytes.count < LongEntries.keyCount else { return nil }
      return Place(entry: group + key.bytes, groupCount: group.count)
    }
    let rest = match.tree.columns.count - order.groupColumns
    guard rest >= 0, let own = rest == 0 ? [] : Self.elements(rest, of: key) else { return nil }
    let count = group.count + own.count
    // A longer entry is shortened, so its position in the order is unknown.
    guard count <= ElementBounds.limit, key.bytes.count < LongEntries.keyCount else { return nil }
    let groupCount = group.count
    group += own
    group += key.bytes
    return Place(entry: group, groupCount: groupCount)
  }

  /// Whether the bound has the same values as the conditions for columns with a single value. The values of
  /// the primary key are in the bound's key.
  private func isFixedAsBound(_ bound: QueryBound, _ plan: PlannedOrder) -> Bool {
    for fixed in plan.fixed where fixed.place < bound.values.count {
      var element: [UInt8] = []
      guard Self.append(bound.values[fixed.place], fixed.column.type.kind, isFolded: false, to: &element),
        element == fixed.element
      else { return false }
    }
    return true
  }

  /// Returns the key of the object with the bound's values, or `nil` if the values do not determine a key.
  private func keyOfValues(_ bound: QueryBound) throws -> ObjectKey? {
    if table.primaryKey.isEmpty || table.hasSecretKey { return nil }
    var bytes: [UInt8] = []
    for column in table.primaryKey {
      let place = try description.order.firstIndex {
        guard case .path(let path) = $0.key, $0.collation == .bytes else { return false }
        return try binder.column(path)?.id == column.id
      }
      guard let place, place < bound.values.count,
        Self.append(bound.values[place], column.type.kind, isFolded: false, to: &bytes)
      else { return nil }
    }
    return ObjectKey(bytes: bytes)
  }

  /// Returns the first elements of a key.
  private static func elements(_ count: Int, of key: ObjectKey) -> [UInt8]? {
    key.bytes.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      for _ in 0..<count {
        do { try decoder.skip() } catch { return nil }
      }
      return Array(bytes[..<(bytes.count - decoder.remaining.count)])
    }
  }

  /// Appends the element of a value. Returns false if the value does not fit a column of the kind, or if an
  /// entry stores only a part of it.
  private static func append(
    _ value: QueryValue,
    _ kind: ColumnType.Kind,
    isFolded: Bool,
    to bytes: inout [UInt8]
  ) -> Bool {
    var value = value
    switch (kind, value) {
    case (_, .null):
      var encoder = KeyEncoder()
      encoder.appendNull()
      bytes += encoder.bytes
      return true
    case (.int64, .integer(let number)):
      KeyElementImage(number).withUnsafeBytes { bytes.append(contentsOf: $0) }
      return true
    // The tree stores only positive zero.
    case (.date, .date(let seconds)):
      KeyElementImage(date: seconds == 0 ? 0 : seconds).withUnsafeBytes { bytes.append(contentsOf: $0) }
      return true
    case (_, .double(let number)) where number == 0: value = .double(0)
    case (_, .string(let text)) where isFolded: value = .string(TextFolding.fold(text, .caseInsensitive))
    default: break
    }
    // For zero there are two points; the last one is positive zero.
    guard let element = ElementDomain(kind)?.bounds(of: value)?.points.last else { return false }
    bytes += element
    return true
  }
}
