import LMDB

/// The objects of an index, in the order of its entries or in groups of equal values.
final class IndexWalk: QueryAccess {
  /// Takes an entry, its object's key, and the whole values of its group where they are long; false to stop.
  typealias Visitor = (UnsafeRawBufferPointer, UnsafeRawBufferPointer, [UInt8]) throws -> Bool

  let source: TreeRanges
  let order: WalkOrder
  private let condition: RowCondition?
  /// What counts of groups of which not all does, where groups and ties have different directions.
  let groups: [WalkBound]

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

  var database: Database { source.tree.database }
  var looksForLong: Bool { order.isByValue && source.tree.mayBeCut }

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
    _ element: [UInt8]
  ) -> QueryPosition {
    QueryPosition(bytes: [UInt8](entry), element: element, objectKey: element.isEmpty ? [] : [UInt8](key))
  }

  private func walk(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ visit: Visitor
  ) throws {
    var ranges = (order.isBackward ? source.ranges.reversed() : source.ranges)[...]
    // Ranges are not in the order of bytes where nil is above all values.
    if let position, order.nilsAreGreatest {
      ranges = ranges.drop { range in
        position.bytes.withUnsafeBytes { range.isBefore($0) || range.isBehind($0) }
      }
    }
    var position = position
    for range in ranges {
      // Behind the range that it is in there is nothing that was handed out.
      defer { if order.nilsAreGreatest { position = nil } }
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
    if let position, !position.element.isEmpty {
      guard let long = position.bytes.withUnsafeBytes({ LongEntries($0, of: source.tree) }) else {
        return true
      }
      guard try walk(long, range, in: environment, after: position, visit) else { return false }
      rest = Self.rest(of: range, behind: long, isBackward: order.isBackward)
    }
    while let part = rest {
      var goesOn = true
      var long: LongEntries?
      try part.withBounds { lower, upper in
        try environment.transaction.forEachRun(
          database,
          from: lower,
          to: upper,
          reversed: order.isBackward
        ) { run in
          for place in 0..<run.count {
            let index = order.isBackward ? run.count - 1 - place : place
            let entry = run.key(index)
            if looksForLong {
              long = LongEntries(entry, of: source.tree)
              if long != nil { return false }
            }
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
      guard goesOn, let long else { return goesOn }
      guard try walk(long, part, in: environment, after: nil, visit) else { return false }
      rest = Self.rest(of: part, behind: long, isBackward: order.isBackward)
    }
    return true
  }

  private static func rest(of range: ByteRange, behind long: LongEntries, isBackward: Bool) -> ByteRange? {
    if isBackward { return range.intersection(ByteRange(lower: [], upper: long.prefix)) }
    return keySuccessor(ofPrefix: long.prefix).flatMap {
      range.intersection(ByteRange(lower: $0, upper: nil))
    }
  }
}
