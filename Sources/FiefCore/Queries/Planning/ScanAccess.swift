import LMDB

/// The records of a type, or ranges of them, in ascending or descending key order.
final class ScanAccess: QueryAccess {
  private let ranges: [ByteRange]
  private let isBackward: Bool
  private let condition: RowCondition?
  /// Whether the condition is evaluated for all records of a page before the first row is delivered, which is
  /// the case unless the condition is expensive.
  private let selectsBlocks: Bool

  init(
    table: Table,
    ranges: [ByteRange] = [.all],
    isBackward: Bool = false,
    condition: RowCondition?
  ) {
    self.ranges = isBackward ? ranges.reversed() : ranges
    self.isBackward = isBackward
    self.condition = condition
    selectsBlocks = condition.map { $0.cost <= 100 } ?? false
    super.init(table: table)
  }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    var stop: QueryPosition?
    try forEachRun(in: environment, after: position) { run, block, isRight in
      // A page with damaged records is skipped here. Its rows are delivered one by one below, which reports
      // each damaged record once.
      if selectsBlocks, isRight, run.count > 1, let condition {
        block.take(run)
        try condition.select(&block, in: environment)
        for place in 0..<block.count {
          let index = block[isBackward ? block.count - 1 - place : place]
          guard let row = try block.row(index, in: environment, if: nil), try !body(row) else { continue }
          stop = QueryPosition(bytes: [UInt8](row.key))
          return false
        }
        return true
      }
      for place in 0..<run.count {
        let index = isBackward ? run.count - 1 - place : place
        let (key, record) = (run.key(index), run.value(index))
        if !isRight, try !environment.isIntact(record, key, of: table) { continue }
        let row = try environment.row(of: table, key: key, record: record, if: condition)
        guard let row, try !body(row) else { continue }
        stop = QueryPosition(bytes: [UInt8](row.key))
        return false
      }
      return true
    }
    return stop
  }

  override func forEachBlock(
    in environment: QueryEnvironment,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws -> Bool {
    try forEachRun(in: environment, after: nil) { run, block, isRight in
      block.take(run)
      if !isRight { try environment.keepVerified(&block) }
      try condition?.select(&block, in: environment)
      return try block.count == 0 || body(block)
    }
    return true
  }

  /// Calls `body` with the entries of each page, a block, and whether all records of the page are intact,
  /// until `body` returns false.
  private func forEachRun(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (LeafRun, inout RowBlock, Bool) throws -> Bool
  ) throws {
    guard let records = table.records else { return }
    var block = RowBlock(of: table)
    var goesOn = true
    for range in ranges where goesOn {
      guard let range = range.resumed(after: position?.bytes, isBackward: isBackward) else { continue }
      try range.withBounds { lower, upper in
        try environment.transaction.forEachRun(records, from: lower, to: upper, reversed: isBackward) { run in
          goesOn = try body(run, &block, try environment.verified.areRight(run, of: table))
          return goesOn
        }
      }
    }
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
    var count = 0
    guard condition == nil, let records = table.records else {
      _ = try forEachBlock(in: environment) { block in
        count += block.count
        return true
      }
      return count
    }
    for range in ranges {
      count += try range.withBounds {
        try environment.transaction.exactCount(records, from: $0, to: $1)
      }
    }
    return count
  }
}
