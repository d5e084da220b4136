import LMDB

/// The records of keys from a combination of indexes, in ascending or descending key order.
///
/// The keys are collected at the start and stored in the position. Records that are read in a later
/// transaction are checked against the whole condition.
final class KeySetAccess: QueryAccess {
  private let source: KeySource
  private let isBackward: Bool
  /// The part of the condition that must still be checked in the transaction in which the keys were
  /// collected.
  private let condition: RowCondition?
  private let wholeCondition: RowCondition?
  /// The ranges of the source's keys that belong to the result.
  private let ranges: [ByteRange]
  /// Whether the ranges exclude any key. Computed in advance because it is used for each row.
  private let isBounded: Bool
  /// The maximum size of the collected keys in bytes. Beyond it a scan replaces them.
  var keyLimit = KeyList.limit

  init(
    table: Table,
    source: KeySource,
    isBackward: Bool,
    condition: RowCondition?,
    wholeCondition: RowCondition?,
    ranges: [ByteRange] = [.all]
  ) {
    self.ranges = ranges
    isBounded = ranges != [.all]
    self.source = source
    self.isBackward = isBackward
    self.condition = condition
    self.wholeCondition = wholeCondition
    super.init(table: table)
  }

  /// The scan that replaces this access path if there are too many keys. It returns the same rows in the same
  /// order.
  private var scan: ScanAccess {
    ScanAccess(table: table, ranges: ranges, isBackward: isBackward, condition: wholeCondition)
  }

  private func counts(_ key: UnsafeRawBufferPointer) -> Bool {
    ranges.contains { !$0.isBefore(key) && !$0.isBehind(key) }
  }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    if case .scan? = position?.origin { return try forEachScannedRow(in: environment, after: position, body) }
    guard let records = table.records else { return nil }
    var next = 0
    let list: KeyList
    if case .keys(let known, let index)? = position?.origin {
      list = known
      next = index + 1
    } else {
      guard let found = try source.keys(in: environment.transaction, limit: keyLimit) else {
        return try forEachScannedRow(in: environment, after: nil, body)
      }
      list = found
    }
    let condition = position == nil ? condition : wholeCondition
    let cursor = try environment.transaction.cursor(records)
    while next < list.count {
      let index = isBackward ? list.count - 1 - next : next
      let goesOn = try list.withKey(index) { key in
        guard !isBounded || counts(key), try cursor.seek(exactly: key),
          let row = try environment.foundRow(of: table, key: cursor.key, record: cursor.value, if: condition)
        else { return true }
        return try body(row)
      }
      if !goesOn { return QueryPosition(bytes: [], origin: .keys(list, next)) }
      next += 1
    }
    return nil
  }

  private func forEachScannedRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    var rest = try scan.forEachRow(in: environment, after: position, body)
    rest?.origin = .scan
    return rest
  }

  override func forEachKey(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> QueryPosition? {
    guard condition == nil, position == nil,
      let list = try source.keys(in: environment.transaction, limit: keyLimit)
    else {
      return try super.forEachKey(in: environment, after: position, body)
    }
    for next in 0..<list.count {
      let goesOn = try list.withKey(isBackward ? list.count - 1 - next : next) { key in
        try isBounded && !counts(key) || body(key)
      }
      if !goesOn { return QueryPosition(bytes: [], origin: .keys(list, next)) }
    }
    return nil
  }

  override func count(in environment: QueryEnvironment) throws -> Int {
    guard condition == nil else { return try super.count(in: environment) }
    guard !isBounded else {
      var count = 0
      _ = try forEachKey(in: environment, after: nil) { _ in
        count += 1
        return true
      }
      return count
    }
    if let count = try source.count(in: environment.transaction) { return count }
    return try source.keys(in: environment.transaction, limit: keyLimit)?.count ?? scan.count(in: environment)
  }
}
