import LMDB

/// The objects of an index, in the order of its entries or in groups of equal values.
final class IndexWalk: QueryAccess {
  /// A function that receives an entry, its object's key and, for ``LongEntries``, the whole values of its
  /// group. It returns false to stop the walk.
  typealias Visitor = (UnsafeRawBufferPointer, UnsafeRawBufferPointer, [UInt8]?) throws -> Bool

  let source: TreeRanges
  let order: WalkOrder
  let condition: RowCondition?
  /// The bounds of groups that belong only in part to the walk, if groups and ties have different directions.
  let groups: [WalkBound]
  /// The number of wanted rows, or `nil` for all.
  let wanted: Int?

  init(
    table: Table,
    source: TreeRanges,
    order: WalkOrder,
    condition: RowCondition?,
    groups: [WalkBound] = [],
    wanted: Int? = nil
  ) {
    self.wanted = wanted
    self.source = source
    self.order = order
    self.condition = condition
    self.groups = groups
    super.init(table: table)
  }

  var database: Database { source.tree.database }

  /// Whether there may be ``LongEntries``, whose bytes are not in order.
  private var mayMeetLong: Bool {
    order.isByValue && source.tree.mayBeCut || source.tree.mayCutKeys
  }
  /// Whether rows come in the byte order of their entries and in one direction.
  var goesAtOnce: Bool { order.isPlain && !mayMeetLong }

  @inline(__always)
  func long(_ entry: UnsafeRawBufferPointer, in range: ByteRange) -> LongEntries? {
    LongEntries(entry, of: source.tree, isByValue: order.isByValue, in: range)
  }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    guard let records = table.records else { return nil }
    if goesAtOnce {
      return try forEachRowAtOnce(
        of: records,
        along: source.ranges,
        in: environment,
        after: position,
        body
      )
    }
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

  static func position(
    _ entry: UnsafeRawBufferPointer,
    _ key: UnsafeRawBufferPointer,
    _ element: [UInt8]?
  ) -> QueryPosition {
    guard let element else { return QueryPosition(bytes: [UInt8](entry)) }
    return QueryPosition(bytes: [UInt8](entry), element: element, objectKey: [UInt8](key))
  }

  /// Returns the ranges that remain after a position, in the order of the walk, each with the position to
  /// resume from.
  func ranges(after position: QueryPosition?) -> [(range: ByteRange, position: QueryPosition?)] {
    let ranges = order.isBackward ? source.ranges.reversed() : source.ranges
    guard let position, order.nilsAreGreatest else { return ranges.map { ($0, position) } }
    // The ranges are not in byte order. Entries of the ranges after the range with the position were not
    // delivered yet.
    let rest = ranges.drop { range in
      position.bytes.withUnsafeBytes { range.isBefore($0) || range.isBehind($0) }
    }
    return rest.enumerated().map { ($0.element, $0.offset == 0 ? position : nil) }
  }

  private func walk(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ visit: Visitor
  ) throws {
    for (range, position) in ranges(after: position) {
      let goesOn =
        order.isPlain
        ? try walkPlainly(range, in: environment, after: position, visit)
        : try walkGroups(range, in: environment, after: position, visit)
      if !goesOn { return }
    }
  }

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

  /// Returns the long entries to which a position belongs, or `nil` if there are none.
  func longEntries(at position: QueryPosition, in range: ByteRange) -> LongEntries? {
    if position.objectKey.isEmpty { return nil }
    return position.bytes.withUnsafeBytes { long($0, in: range) }
  }

  /// Walks through the entries of a part of a range in one direction.
  func walk(
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

  static func rest(of range: ByteRange, behind long: LongEntries, isBackward: Bool) -> ByteRange? {
    if isBackward { return range.intersection(ByteRange(lower: [], upper: long.prefix)) }
    return keySuccessor(ofPrefix: long.prefix).flatMap {
      range.intersection(ByteRange(lower: $0, upper: nil))
    }
  }
}
