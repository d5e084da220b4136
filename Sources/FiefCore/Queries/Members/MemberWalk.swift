import LMDB

/// One walk of a ``MemberAccess`` through its collection, in one transaction.
final class MemberWalk {
  private let access: MemberAccess
  private let environment: QueryEnvironment
  /// The keys that the filter allows, or `nil` to allow all.
  private let keys: KeyList?
  /// Whether keys are compared with the filter, or there is no filter.
  let usesFilter: Bool
  var isFiltered: Bool { keys != nil }
  private let start: MemberSource.Start
  /// Whether the positions of elements are exact in the snapshot that is read.
  private let isExact: Bool
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
      keys = try access.filter?.keys(in: environment.transaction, limit: access.keyLimit)
      if let found = keys { keys = try access.source.members(among: found, in: environment) }
    }
    self.keys = keys
    isExact = isSame && (resumed?.isExact ?? true)
    usesFilter = keys != nil || (isSame && access.filter == nil)
    range = try access.bounds.range(of: access.source, in: environment)
    start = try access.start(behind: resumed, isSame: isSame, isExact: isExact, range, in: environment)
  }

  func isWanted(_ key: UnsafeRawBufferPointer) -> Bool {
    if let keys, keys.index(of: key) == nil { return false }
    return ObjectKey.lengths.contains(key.count) && range.contains(key)
  }

  /// Calls `body` with runs of elements between the bounds, until `body` returns the index of an element to
  /// stop at.
  func forEach(_ body: (MemberRun, [MemberRun.Entry]) throws -> Int?) throws -> QueryPosition? {
    if let keys, keys.count == 0 { return nil }
    var stop: QueryPosition?
    try access.source.forEachRun(
      environment.tables,
      in: environment.transaction,
      from: start,
      isBackward: access.isBackward
    ) { run in
      let entries = range.entries(of: run, isBackward: access.isBackward)
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
      isExact: isExact,
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
  /// Returns the start of a walk: the first element, or the element after the last delivered one.
  fileprivate func start(
    behind position: MemberPosition?,
    isSame: Bool,
    isExact: Bool,
    _ range: MemberBounds.Range,
    in environment: QueryEnvironment
  ) throws -> MemberSource.Start {
    guard let position else {
      return .place(isBackward ? range.places.upperBound - 1 : range.places.lowerBound)
    }
    let step = isBackward ? -1 : 1
    if source.type.container != .list {
      return .behind(name: position.name, place: position.place + 1, isExact: isExact)
    }
    if isSame { return .offset(position.end, place: position.place + step) }
    let place = try source.place(of: position.key, near: position.place, in: environment)
    // If the element was removed, the next element has moved to its position.
    return .place(place.map { $0 + step } ?? (isBackward ? position.place - 1 : position.place))
  }
}
