import LMDB

/// The objects of a list, a set or a map, in its order: those that indexes leave, where these are asked first.
///
/// An object that is in the collection more than once comes as often. The place of the row that is handed out is
/// that of the environment.
final class MemberAccess: QueryAccess {
  let source: MemberSource
  /// What keys have to be of; nil for all.
  private let filter: KeySource?
  private let isBackward: Bool
  /// What is left to be checked where the keys are held against the filter.
  private let condition: RowCondition?
  private let wholeCondition: RowCondition?
  private let bounds: MemberBounds
  /// The most bytes of keys that are held; beyond that all elements are looked up.
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

  /// The closure of a write may change the collection.
  override var movesRows: Bool { true }

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
            let row = try environment.row(of: table, key: key, record: record, if: condition)
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
    // An index has keys of objects only; otherwise a link may lead to nothing.
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

/// One walk of a ``MemberAccess`` through its collection, in one transaction.
private final class MemberWalk {
  private let access: MemberAccess
  private let environment: QueryEnvironment
  /// The keys that the filter leaves; nil for all.
  private let keys: KeyList?
  /// Whether the keys are held against the filter, or there is none.
  let usesFilter: Bool
  var isFiltered: Bool { keys != nil }
  private let start: MemberSource.Start
  private let range: MemberBounds.Range

  init(_ access: MemberAccess, _ environment: QueryEnvironment, _ position: QueryPosition?) throws {
    self.access = access
    self.environment = environment
    var resumed: MemberPosition?
    if case .members(let known)? = position?.origin { resumed = known }
    let isSame = resumed.map { environment.isStable && $0.snapshot == environment.transaction.id } ?? true
    var keys: KeyList?
    if let resumed {
      keys = isSame ? resumed.keys : nil
    } else {
      keys = try access.keysOfFilter(in: environment.transaction)
    }
    self.keys = keys
    usesFilter = keys != nil || (isSame && !access.isFiltered)
    range = try access.range(in: environment)
    start = try access.start(behind: resumed, isSame: isSame, range, in: environment)
  }

  func isWanted(_ key: UnsafeRawBufferPointer) -> Bool {
    if let keys, keys.index(of: key) == nil { return false }
    return ObjectKey.lengths.contains(key.count) && range.contains(key)
  }

  /// Calls `body` with runs of elements between the bounds, until it returns the index of the one to stop at.
  func forEach(_ body: (MemberRun, [MemberRun.Entry]) throws -> Int?) throws -> QueryPosition? {
    var stop: QueryPosition?
    try access.source.forEachRun(
      environment.tables,
      in: environment.transaction,
      from: start,
      isBackward: access.goesBackward
    ) { run in
      let entries = range.entries(of: run, isBackward: access.goesBackward)
      if let index = try body(run, entries.wanted) {
        stop = position(at: entries.wanted[index], of: run)
        return false
      }
      return !entries.isAtEnd
    }
    return stop
  }

  private func position(at entry: MemberRun.Entry, of run: MemberRun) -> QueryPosition {
    let place = MemberPosition(
      place: entry.place,
      key: run.key(entry).map { [UInt8]($0) } ?? [],
      name: [UInt8](run.name(entry)),
      end: entry.end,
      snapshot: environment.transaction.id,
      keys: keys
    )
    return QueryPosition(bytes: [], origin: .members(place))
  }
}

extension MemberAccess {
  fileprivate var isFiltered: Bool { filter != nil }
  fileprivate var goesBackward: Bool { isBackward }

  fileprivate func keysOfFilter(in transaction: LMDB.Transaction) throws -> KeyList? {
    try filter?.keys(in: transaction, limit: keyLimit)
  }

  fileprivate func range(in environment: QueryEnvironment) throws -> MemberBounds.Range {
    try bounds.range(of: source, in: environment)
  }

  /// Where a walk begins, or goes on behind the element that was handed out last.
  fileprivate func start(
    behind position: MemberPosition?,
    isSame: Bool,
    _ range: MemberBounds.Range,
    in environment: QueryEnvironment
  ) throws -> MemberSource.Start {
    guard let position else {
      return .place(isBackward ? range.places.upperBound - 1 : range.places.lowerBound)
    }
    let step = isBackward ? -1 : 1
    if source.type.container != .list {
      return .behind(name: position.name, place: position.place + 1)
    }
    if isSame { return .offset(position.end, place: position.place + step) }
    let place = try source.place(of: position.key, near: position.place, in: environment)
    // What followed an element that was removed is where that was.
    return .place(place.map { $0 + step } ?? (isBackward ? position.place - 1 : position.place))
  }
}
