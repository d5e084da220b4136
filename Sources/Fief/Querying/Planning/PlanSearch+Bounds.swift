import LMDB

/// The bounds of a query as places in a tree that has its order.
struct PlannedBounds {
  /// The ranges of the tree that are between them.
  var ranges: [ByteRange]
  /// What counts of the groups that the bounds are in, where groups and ties have different directions.
  var groups: [WalkBound] = []
}

extension PlanSearch {
  /// A place among the entries of a tree: all entries that begin with a run of bytes, or one entry.
  private struct Place {
    var group: [UInt8]
    /// The bytes of the entry with a key; nil where all of the group is meant.
    var entry: [UInt8]?
  }

  /// The description's bounds in a tree; nil where they cannot be said in it, so that rows have to be looked at.
  ///
  /// - Parameter order: that in which the tree is walked.
  func bounds(_ ranges: [ByteRange], _ match: TreeMatch, _ order: WalkOrder) throws -> PlannedBounds? {
    // Where keys are in backlinks is known by the whole range of a target.
    if match.tree.isBacklinks { return nil }
    var nils: ByteRange?
    if order.nilsAreGreatest {
      guard let range = nilRange(match) else { return nil }
      nils = range
    }
    var bounds = PlannedBounds(ranges: ranges)
    for (bound, isStart) in [(description.start, true), (description.end, false)] {
      guard let bound else { continue }
      guard bound.values.count <= description.order.count else { return nil }
      if let first = self.order?.keys.first, nils != nil, first.place >= bound.values.count { return nil }
      guard let place = try place(bound, match, order) else { return nil }
      let isNil = nils.map { place.group.starts(with: $0.lower) } ?? false
      // A walk to the last ones goes the other way.
      let isBackward = order.isBackward != isLast
      let tiesGoBackward = order.areTiesBackward != isLast
      // Whether what is wanted comes after the place in the order of bytes.
      let isAfter = isStart != isBackward
      if let entry = place.entry, !order.isPlain {
        let tiesAreAfter = isStart != tiesGoBackward
        let rest = Self.range(
          from: entry,
          next: ByteRange.successor(of: entry),
          bound.isInclusive,
          isAfter: tiesAreAfter
        )
        bounds.groups.append(WalkBound(group: place.group, rest: rest))
        bounds.ranges = Self.cut(
          bounds.ranges,
          to: Self.range(
            from: place.group,
            next: keySuccessor(ofPrefix: place.group),
            true,
            isAfter: isAfter
          ),
          isAfter: isAfter,
          nils,
          isNil: isNil
        )
      } else {
        bounds.ranges = Self.cut(
          bounds.ranges,
          to: Self.range(
            from: place.entry ?? place.group,
            next: place.entry.map(ByteRange.successor) ?? keySuccessor(ofPrefix: place.group),
            bound.isInclusive,
            isAfter: isAfter
          ),
          isAfter: isAfter,
          nils,
          isNil: isNil
        )
      }
    }
    return bounds
  }

  /// What is at and after some bytes, or at and before them.
  ///
  /// - Parameter next: the first bytes that come after what is meant; nil where nothing does.
  private static func range(
    from first: [UInt8],
    next: @autoclosure () -> [UInt8]?,
    _ isInclusive: Bool,
    isAfter: Bool
  ) -> ByteRange {
    if isAfter {
      if isInclusive { return ByteRange(lower: first, upper: nil) }
      guard let next = next() else { return ByteRange(lower: first, upper: first) }
      return ByteRange(lower: next, upper: nil)
    }
    return ByteRange(lower: [], upper: isInclusive ? next() : first)
  }

  /// - Parameters:
  ///   - nils: the range of nil where that is above all values; ranges are in it or outside of it.
  ///   - isNil: whether the bound is in that.
  private static func cut(
    _ ranges: [ByteRange],
    to other: ByteRange,
    isAfter: Bool,
    _ nils: ByteRange?,
    isNil: Bool
  ) -> [ByteRange] {
    guard let nils else { return ranges.compactMap { $0.intersection(other) } }
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
    group.reserveCapacity(fixed.count + 16 * plan.keys.count)
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
      // Values of the primary key that the order does without still count.
      let isKeyMeant = bound.values.indices.contains { place in
        !plan.keys.contains { $0.place == place } && !plan.fixed.contains { $0.place == place }
      }
      return bound.key == nil && !isKeyMeant ? Place(group: group) : nil
    }
    if match.tree.isRecords { return Place(group: group, entry: key.bytes) }
    if plan.keys.isEmpty, match.isWhole, let range = match.ranges.first {
      // All columns have one value, though a condition may not say exactly which.
      group = range.lower
      guard key.bytes.count < LongEntries.keyCount else { return nil }
      return Place(group: group, entry: group + key.bytes)
    }
    let rest = match.tree.columns.count - order.groupColumns
    guard rest >= 0, let own = rest == 0 ? [] : Self.elements(rest, of: key) else { return nil }
    let count = group.count + own.count
    // What is longer is cut, and has no order then.
    guard count <= ElementBounds.limit, key.bytes.count < LongEntries.keyCount else { return nil }
    var entry: [UInt8] = []
    entry.reserveCapacity(count + key.bytes.count)
    entry += group
    entry += own
    entry += key.bytes
    return Place(group: group, entry: entry)
  }

  /// Whether the bound has the values that conditions leave of columns which have only one. Those of the primary
  /// key are in its key.
  private func isFixedAsBound(_ bound: QueryBound, _ plan: PlannedOrder) -> Bool {
    for fixed in plan.fixed where fixed.place < bound.values.count {
      var element: [UInt8] = []
      guard Self.append(bound.values[fixed.place], fixed.column.type.kind, isFolded: false, to: &element),
        element == fixed.element
      else { return false }
    }
    return true
  }

  /// The key of the object that has a bound's values; nil where they do not say it.
  private func keyOfValues(_ bound: QueryBound) throws -> ObjectKey? {
    if table.primaryKey.isEmpty { return nil }
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

  /// The first elements of a key.
  private static func elements(_ count: Int, of key: ObjectKey) -> [UInt8]? {
    key.bytes.withUnsafeBytes { bytes in
      var decoder = KeyDecoder(bytes)
      for _ in 0..<count {
        do { try decoder.skip() } catch { return nil }
      }
      return Array(bytes[..<(bytes.count - decoder.remaining.count)])
    }
  }

  /// Appends the element of a value; false where a column of the kind does not have the value, or has a part of it
  /// only.
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
    // It is known that the tree does not have the other zero.
    case (.date, .date(let seconds)):
      KeyElementImage(date: seconds == 0 ? 0 : seconds).withUnsafeBytes { bytes.append(contentsOf: $0) }
      return true
    case (_, .double(let number)) where number == 0: value = .double(0)
    case (_, .string(let text)) where isFolded: value = .string(TextFolding.fold(text, .caseInsensitive))
    default: break
    }
    // The last one of two is that of zero without a sign.
    guard let element = ElementDomain(kind)?.bounds(of: value)?.points.last else { return false }
    bytes += element
    return true
  }
}
