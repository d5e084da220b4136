import LMDB

/// Groups in one direction, and what is in each of them in the other.
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
      let long =
        position.element.isEmpty
        ? nil : position.bytes.withUnsafeBytes { LongEntries($0, of: source.tree) }
      if let long {
        longStart = long
        start = WalkBound(group: long.prefix, rest: ByteRange(prefix: long.prefix))
      } else {
        start = WalkBound(
          after: position.bytes,
          groupCount: position.bytes.withUnsafeBytes { groupCount(of: $0) },
          isBackward: order.areTiesBackward
        )
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
      if looksForLong, let long = LongEntries(cursor.key, of: source.tree) {
        let after = longStart?.prefix == long.prefix ? position : nil
        guard try walk(long, rest, in: environment, after: after, visit) else { return false }
        found = try move(cursor, behind: long.prefix)
        continue
      }
      let (entry, value) = (cursor.key, cursor.value)
      let group = Array(entry[..<groupCount(of: entry)])
      var ties = ByteRange(prefix: group)
      for bound in groups where bound.group == group {
        ties = ties.intersection(bound.rest) ?? ByteRange(lower: group, upper: group)
      }
      found = try order.isBackward ? cursor.previous() : cursor.next()
      if found, cursor.key.starts(with: group) {
        guard try walkTies(ties, of: range, in: environment, visit) else { return false }
        found = try move(cursor, behind: group)
      } else if !ties.isBefore(entry), !ties.isBehind(entry), source.passes(entry),
        let key = try source.objectKey(of: entry, value: value, in: range, environment.transaction)
      {
        guard try visit(entry, key, []) else { return false }
      }
    }
    return true
  }

  private func move(_ cursor: Cursor, behind prefix: [UInt8]) throws -> Bool {
    if order.isBackward { return try prefix.withUnsafeBytes { try cursor.seek(before: $0) } }
    guard let next = keySuccessor(ofPrefix: prefix) else { return false }
    return try next.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
  }

  private func walkTies(
    _ ties: ByteRange,
    of range: ByteRange,
    in environment: QueryEnvironment,
    _ visit: Visitor
  ) throws -> Bool {
    if ties.isEmpty { return true }
    var goesOn = true
    try ties.withBounds { lower, upper in
      try environment.transaction.forEachRun(
        database,
        from: lower,
        to: upper,
        reversed: order.areTiesBackward
      ) { run in
        for place in 0..<run.count {
          let index = order.areTiesBackward ? run.count - 1 - place : place
          let entry = run.key(index)
          guard source.passes(entry),
            let key = try source.objectKey(
              of: entry,
              value: run.value(index),
              in: range,
              environment.transaction
            )
          else { continue }
          goesOn = try visit(entry, key, [])
          if !goesOn { return false }
        }
        return true
      }
    }
    return goesOn
  }

  func groupCount(of entry: UnsafeRawBufferPointer) -> Int {
    var decoder = KeyDecoder(entry)
    for _ in 0..<order.groupColumns {
      do { try decoder.skip() } catch { return entry.count }
    }
    return entry.count - decoder.remaining.count
  }
}
