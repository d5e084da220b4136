import LMDB

/// The objects of an index, in the order of its entries or in groups of equal values.
final class IndexWalk: QueryAccess {
  /// Takes an entry, its object's key, and where it is one of ``LongEntries`` the whole values of its group; false
  /// to stop.
  typealias Visitor = (UnsafeRawBufferPointer, UnsafeRawBufferPointer, [UInt8]?) throws -> Bool

  let source: TreeRanges
  let order: WalkOrder
  private let condition: RowCondition?
  /// What counts of groups of which not all does, where groups and ties have different directions.
  private let groups: [WalkBound]

  init(
    table: Table,
    source: TreeRanges,
    order: WalkOrder,
    condition: RowCondition?,
    groups: [WalkBound] = []
  ) {
    self.source = source
    self.order = order
    self.condition = condition
    self.groups = groups
    super.init(table: table)
  }

  override var movesRows: Bool { order.isByValue }
  private var database: Database { source.tree.database }

  @inline(__always)
  private func long(_ entry: UnsafeRawBufferPointer, in range: ByteRange) -> LongEntries? {
    LongEntries(entry, of: source.tree, isByValue: order.isByValue, in: range)
  }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    guard let records = table.records else { return nil }
    var stop: QueryPosition?
    try walk(in: environment, after: position) { entry, key, element in
      guard let row = try environment.row(of: table, records, key: key, if: condition), try !body(row) else {
        return true
      }
      stop = Self.position(entry, key, element)
      return false
    }
    return stop
  }

  override func forEachKey(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> QueryPosition? {
    guard condition == nil else { return try super.forEachKey(in: environment, after: position, body) }
    var stop: QueryPosition?
    try walk(in: environment, after: position) { entry, key, element in
      if try body(key) { return true }
      stop = Self.position(entry, key, element)
      return false
    }
    return stop
  }

  override func count(in environment: QueryEnvironment) throws -> Int {
    guard condition == nil else { return try super.count(in: environment) }
    guard groups.isEmpty else {
      var count = 0
      _ = try forEachKey(in: environment, after: nil) { _ in
        count += 1
        return true
      }
      return count
    }
    return try source.count(in: environment.transaction)
  }

  private static func position(
    _ entry: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer,
    _ element: [UInt8]?
  ) -> QueryPosition {
    guard let element else { return QueryPosition(bytes: [UInt8](entry)) }
    return QueryPosition(bytes: [UInt8](entry), element: element, objectKey: [UInt8](key))
  }

  private func walk(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ visit: Visitor
  ) throws {
    for range in order.isBackward ? source.ranges.reversed() : source.ranges {
      let goesOn =
        order.isPlain
        ? try walkPlainly(range, in: environment, after: position, visit)
        : try walkGroups(range, in: environment, after: position, visit)
      if !goesOn { return }
    }
  }

  // MARK: One direction

  private func walkPlainly(
    _ range: ByteRange,
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ visit: Visitor
  ) throws -> Bool {
    var rest = range.resumed(after: position?.bytes, isBackward: order.isBackward)
    if let position, let long = longEntries(at: position, in: range) {
      guard try walk(long, range, of: range, in: environment, after: position, visit) else { return false }
      rest = Self.rest(of: range, behind: long, isBackward: order.isBackward)
    }
    return try walk(rest, of: range, isBackward: order.isBackward, in: environment, visit)
  }

  /// The long entries that a position is among; nil where it is not.
  private func longEntries(at position: QueryPosition, in range: ByteRange) -> LongEntries? {
    if position.objectKey.isEmpty { return nil }
    return position.bytes.withUnsafeBytes { long($0, in: range) }
  }

  /// Goes along the entries of a part of a range, in one direction.
  private func walk(
    _ part: ByteRange?,
    of range: ByteRange,
    isBackward: Bool,
    in environment: QueryEnvironment,
    _ visit: Visitor
  ) throws -> Bool {
    var rest = part
    while let part = rest, !part.isEmpty {
      var goesOn = true
      var found: LongEntries?
      try part.withBounds { lower, upper in
        try environment.transaction.forEachRun(
          database,
          from: lower,
          to: upper,
          reversed: isBackward
        ) { run in
          for place in 0..<run.count {
            let index = isBackward ? run.count - 1 - place : place
            let entry = run.key(index)
            found = long(entry, in: range)
            if found != nil { return false }
            guard source.passes(entry),
              let key = try source.objectKey(
                of: entry,
                value: run.value(index),
                in: range,
                environment.transaction
              )
            else { continue }
            goesOn = try visit(entry, key, nil)
            if !goesOn { return false }
          }
          return true
        }
      }
      guard goesOn, let found else { return goesOn }
      guard try walk(found, part, of: range, in: environment, after: nil, visit) else { return false }
      rest = Self.rest(of: part, behind: found, isBackward: isBackward)
    }
    return true
  }

  private static func rest(of range: ByteRange, behind long: LongEntries, isBackward: Bool) -> ByteRange? {
    if isBackward { return range.intersection(ByteRange(lower: [], upper: long.prefix)) }
    return keySuccessor(ofPrefix: long.prefix).flatMap {
      range.intersection(ByteRange(lower: $0, upper: nil))
    }
  }

  // MARK: Groups in one direction, and what is in each of them in the other

  private func walkGroups(
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

  /// What counts of a group.
  private static func ties(_ all: ByteRange, of group: [UInt8], in groups: [WalkBound]) -> ByteRange {
    var ties = all
    for bound in groups where bound.group == group {
      ties = ties.intersection(bound.rest) ?? ByteRange(lower: group, upper: group)
    }
    return ties
  }

  private func groupCount(of entry: UnsafeRawBufferPointer) -> Int {
    var decoder = KeyDecoder(entry)
    for _ in 0..<order.groupColumns {
      do { try decoder.skip() } catch { return entry.count }
    }
    return entry.count - decoder.remaining.count
  }

  // MARK: Long entries

  /// Goes along long entries with the same beginning, in the order of their whole values and keys.
  private func walk(
    _ long: LongEntries,
    _ part: ByteRange,
    of range: ByteRange,
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ visit: Visitor
  ) throws -> Bool {
    guard let records = table.records,
      let part = part.intersection(ByteRange(prefix: long.prefix))
    else { return true }
    var entries: [(element: [UInt8], key: [UInt8], entry: [UInt8])] = []
    try part.forEachRun(of: database, in: environment.transaction) { run in
      for index in 0..<run.count {
        let entry = run.key(index)
        let found = try source.objectKey(
          of: entry,
          value: run.value(index),
          in: range,
          environment.transaction
        )
        guard source.passes(entry), let key = found,
          let row = try environment.row(of: table, records, key: key, if: nil)
        else { continue }
        let element = try source.tree.element(row)
        let group = element.withUnsafeBytes { Array(element[..<groupCount(of: $0)]) }
        entries.append((group, [UInt8](key), [UInt8](entry)))
      }
      return true
    }
    entries.sort { precedes(($0.element, $0.key), ($1.element, $1.key)) }
    var last: (element: [UInt8], key: [UInt8])?
    if let position { last = (position.element, position.objectKey) }
    for entry in entries {
      if let last, !precedes(last, (entry.element, entry.key)) { continue }
      let goesOn = try entry.entry.withUnsafeBytes { bytes in
        try entry.key.withUnsafeBytes { try visit(bytes, $0, entry.element) }
      }
      if !goesOn { return false }
    }
    return true
  }

  private func precedes(
    _ first: (element: [UInt8], key: [UInt8]),
    _ second: (element: [UInt8], key: [UInt8])
  ) -> Bool {
    if first.element != second.element {
      return first.element.lexicographicallyPrecedes(second.element) != order.isBackward
    }
    if first.key == second.key { return false }
    return first.key.lexicographicallyPrecedes(second.key) != order.areTiesBackward
  }
}
