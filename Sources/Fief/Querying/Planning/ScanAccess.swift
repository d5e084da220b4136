import LMDB

/// The records of a type in the order of their keys, or in its opposite; all of them, or ranges.
final class ScanAccess: QueryAccess {
  private let ranges: [ByteRange]
  private let isBackward: Bool
  private let condition: RowCondition?

  init(
    table: Table,
    ranges: [ByteRange] = [.all],
    isBackward: Bool = false,
    condition: RowCondition?
  ) {
    self.ranges = isBackward ? ranges.reversed() : ranges
    self.isBackward = isBackward
    self.condition = condition
    super.init(table: table)
  }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    guard let records = table.records else { return nil }
    for range in ranges {
      guard let range = range.resumed(after: position?.bytes, isBackward: isBackward) else { continue }
      var stop: QueryPosition?
      try range.withBounds { lower, upper in
        try environment.transaction.forEachRun(records, from: lower, to: upper, reversed: isBackward) { run in
          for place in 0..<run.count {
            let index = isBackward ? run.count - 1 - place : place
            let row = try environment.row(
              of: table,
              key: run.key(index),
              record: run.value(index),
              if: condition
            )
            if let row, try !body(row) {
              stop = QueryPosition(bytes: [UInt8](row.key))
              return false
            }
          }
          return true
        }
      }
      if let stop { return stop }
    }
    return nil
  }

  override func forEachKey(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> QueryPosition? {
    guard condition == nil, let records = table.records else {
      return try super.forEachKey(in: environment, after: position, body)
    }
    for range in ranges {
      guard let range = range.resumed(after: position?.bytes, isBackward: isBackward) else { continue }
      var stop: QueryPosition?
      try range.withBounds { lower, upper in
        try environment.transaction.forEachRun(records, from: lower, to: upper, reversed: isBackward) { run in
          for place in 0..<run.count {
            let key = run.key(isBackward ? run.count - 1 - place : place)
            if try !body(key) {
              stop = QueryPosition(bytes: [UInt8](key))
              return false
            }
          }
          return true
        }
      }
      if let stop { return stop }
    }
    return nil
  }

  override func count(in environment: QueryEnvironment) throws -> Int {
    guard condition == nil, let records = table.records else { return try super.count(in: environment) }
    var count = 0
    for range in ranges {
      count += try range.withBounds {
        try environment.transaction.exactCount(records, from: $0, to: $1)
      }
    }
    return count
  }
}
