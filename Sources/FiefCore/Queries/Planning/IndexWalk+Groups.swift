import LMDB

/// A walk with groups in one direction and the entries of each group in the other.
extension IndexWalk {
  func walkGroups(
    _ range: ByteRange,
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ visit: Visitor
  ) throws -> Bool {
    var groups = groups
    var start: WalkBound?
    var rest = range
    var longStart: LongEntries?
    if let position {
      let long = longEntries(at: position, in: range)
      if let long, !long.isOfKeys {
        longStart = long
        start = WalkBound(group: long.prefix, rest: ByteRange(prefix: long.prefix))
      } else {
        let group = Array(position.bytes[..<position.bytes.withUnsafeBytes { groupCount(of: $0) }])
        let ties = ByteRange(prefix: group)
        var left = ties.resumed(after: position.bytes, isBackward: order.areTiesBackward)
        if let long {
          if let part = range.intersection(Self.ties(ties, of: group, in: groups)) {
            guard try walk(long, part, of: range, in: environment, after: position, visit) else {
              return false
            }
          }
          left = Self.rest(of: ties, behind: long, isBackward: order.areTiesBackward)
        }
        start = WalkBound(group: group, rest: left ?? ByteRange(lower: group, upper: group))
      }
    }
    if let start {
      groups.append(start)
      let from =
        order.isBackward
        ? ByteRange(lower: [], upper: keySuccessor(ofPrefix: start.group))
        : ByteRange(lower: start.group, upper: nil)
      guard let both = range.intersection(from) else { return true }
      rest = both
    }
    let cursor = try environment.transaction.cursor(database)
    var found = try rest.enter(cursor, isBackward: order.isBackward)
    while found, order.isBackward ? !rest.isBefore(cursor.key) : !rest.isBehind(cursor.key) {
      if let long = long(cursor.key, in: range), !long.isOfKeys {
        let after = longStart?.prefix == long.prefix ? position : nil
        guard try walk(long, rest, of: range, in: environment, after: after, visit) else { return false }
        found = try move(cursor, behind: long.prefix)
        continue
      }
      let (entry, value) = (cursor.key, cursor.value)
      let group = Array(entry[..<groupCount(of: entry)])
      let ties = Self.ties(ByteRange(prefix: group), of: group, in: groups)
      found = try order.isBackward ? cursor.previous() : cursor.next()
      if found, cursor.key.starts(with: group) {
        guard
          try walk(ties, of: range, isBackward: order.areTiesBackward, in: environment, visit)
        else { return false }
        found = try move(cursor, behind: group)
      } else if !ties.isBefore(entry), !ties.isBehind(entry), source.passes(entry),
        let key = try source.objectKey(of: entry, value: value, in: range, environment.transaction)
      {
        guard try visit(entry, key, nil) else { return false }
      }
    }
    return true
  }

  private func move(_ cursor: Cursor, behind prefix: [UInt8]) throws -> Bool {
    if order.isBackward { return try prefix.withUnsafeBytes { try cursor.seek(before: $0) } }
    guard let next = keySuccessor(ofPrefix: prefix) else { return false }
    return try next.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
  }

  /// Returns the range of a group's entries that belong to the walk.
  private static func ties(_ all: ByteRange, of group: [UInt8], in groups: [WalkBound]) -> ByteRange {
    var ties = all
    for bound in groups where bound.group == group {
      ties = ties.intersection(bound.rest) ?? ByteRange(lower: group, upper: group)
    }
    return ties
  }

  func groupCount(of entry: UnsafeRawBufferPointer) -> Int {
    var decoder = KeyDecoder(entry)
    for _ in 0..<order.groupColumns {
      do { try decoder.skip() } catch { return entry.count }
    }
    return entry.count - decoder.remaining.count
  }
}
