import LMDB

/// The objects of a list, a set or a map, in the order of the collection. Keys from indexes can restrict
/// them.
///
/// An object that occurs several times in the collection is returned once for each occurrence. The
/// environment contains the position of the current row.
final class MemberAccess: QueryAccess {
  let source: MemberSource
  /// The source of the allowed keys, or `nil` to allow all.
  let filter: KeySource?
  let isBackward: Bool
  /// The part of the condition that must still be checked on rows whose keys are in the filter.
  private let condition: RowCondition?
  private let wholeCondition: RowCondition?
  let bounds: MemberBounds
  /// The maximum size of the collected keys in bytes. Beyond it the filter is dropped and all elements are
  /// looked up.
  var keyLimit = KeyList.limit

  init(
    table: Table,
    source: MemberSource,
    filter: KeySource?,
    isBackward: Bool,
    condition: RowCondition?,
    wholeCondition: RowCondition?,
    bounds: MemberBounds
  ) {
    self.source = source
    self.filter = filter
    self.isBackward = isBackward
    self.condition = condition
    self.wholeCondition = wholeCondition
    self.bounds = bounds
    super.init(table: table)
  }

  override var members: MemberSource? { source }

  override func forEachRow(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (QueryRow) throws -> Bool
  ) throws -> QueryPosition? {
    guard let records = table.records else { return nil }
    let walk = try MemberWalk(self, environment, position)
    let condition = walk.usesFilter ? condition : wholeCondition
    var most = 4
    return try walk.forEach { run, entries in
      var next = entries.startIndex
      while next < entries.endIndex {
        var batch = LookUpBatch(in: environment.transaction)
        while next < entries.endIndex, batch.count < most {
          if let key = run.key(entries[next]), walk.isWanted(key) { batch.append(key, at: next) }
          next += 1
        }
        most = LookUpBatch.capacity
        try batch.prepare(records)
        for item in 0..<batch.count {
          let key = batch.key(item)
          guard let record = try batch.value(item, in: records),
            let row = try environment.foundRow(of: table, key: key, record: record, if: condition)
          else { continue }
          let place = batch.place(item)
          environment.place = entries[place].place
          if try !body(row) { return place }
        }
      }
      return nil
    }
  }

  override func forEachKey(
    in environment: QueryEnvironment,
    after position: QueryPosition?,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> QueryPosition? {
    let walk = try MemberWalk(self, environment, position)
    // An index contains only keys of existing objects. Without a filter, the object of a link may not exist.
    let isExact = walk.isFiltered ? condition == nil : wholeCondition == nil && !source.mayHaveGaps
    guard isExact else { return try super.forEachKey(in: environment, after: position, body) }
    return try walk.forEach { run, entries in
      for place in entries.indices {
        guard let key = run.key(entries[place]), walk.isWanted(key) else { continue }
        environment.place = entries[place].place
        if try !body(key) { return place }
      }
      return nil
    }
  }

  override func count(in environment: QueryEnvironment) throws -> Int {
    if filter == nil, wholeCondition == nil, !source.mayHaveGaps, bounds.isEmpty {
      return try source.count(environment.tables, in: environment.transaction)
    }
    var count = 0
    _ = try forEachKey(in: environment, after: nil) { _ in
      count += 1
      return true
    }
    return count
  }
}
