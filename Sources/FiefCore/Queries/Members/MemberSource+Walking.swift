import LMDB

extension MemberSource {
  /// The start of a walk.
  enum Start {
    /// At a position. In a list, it is found directly.
    case place(Int)
    /// At a position with a known offset in the payload, which is unchanged.
    case offset(Int, place: Int)
    /// After an element of a set or a key of a map, which was at a position. `isExact` indicates whether it
    /// still is at this position.
    case behind(name: [UInt8], place: Int, isExact: Bool)
  }

  /// Calls `body` with runs of elements in order until `body` returns false. The elements of a list can also
  /// be read in reverse.
  ///
  /// The bytes of a run are valid until `body` returns. `body` must not write.
  func forEachRun(
    _ tables: StoreTables,
    in transaction: LMDB.Transaction,
    from start: Start = .place(0),
    isBackward: Bool = false,
    _ body: (MemberRun) throws -> Bool
  ) throws {
    _ = try withContents(tables, in: transaction) { contents in
      switch contents {
      case .inline(let payload): try walk(payload, start, isBackward, body)
      case .large(let list as LargeList): try walk(list, start, isBackward, body)
      case .large(let table as LargeTable): try walk(table, start, body)
      case .large: break
      }
    }
  }

  // MARK: In the record

  private func walk(
    _ payload: UnsafeRawBufferPointer,
    _ start: Start,
    _ isBackward: Bool,
    _ body: (MemberRun) throws -> Bool
  ) throws {
    if payload.isEmpty { return }
    var reader = ValueReader(payload, context: nil)
    let count = try reader.count()
    var place = 0
    var offset = payload.count - reader.rest.count
    var first = 0
    switch start {
    case .place(let start): first = start
    case .offset(let known, let start):
      if !isBackward, known <= payload.count { (offset, place) = (known, start) }
      first = start
    case .behind(let name, let start, _): first = try self.place(behind: name, start, payload, offset, count)
    }
    if isBackward { return try walkBackward(payload, offset, min(first + 1, count), body) }
    while place < count {
      let entries = try MemberRun.entries(
        payload,
        from: offset,
        place: place,
        count: min(MemberRun.most, count - place),
        type: type
      )
      guard let last = entries.last else { return }
      (offset, place) = (last.end, last.place + 1)
      if place <= first { continue }
      let wanted = entries[0].place < first ? Array(entries[(first - entries[0].place)...]) : entries
      if try !body(MemberRun(bytes: payload, entries: wanted)) { return }
    }
  }

  private func walkBackward(
    _ payload: UnsafeRawBufferPointer,
    _ offset: Int,
    _ count: Int,
    _ body: (MemberRun) throws -> Bool
  ) throws {
    let entries = try MemberRun.entries(payload, from: offset, place: 0, count: count, type: type)
    var end = entries.count
    while end > 0 {
      let start = max(0, end - MemberRun.most)
      if try !body(MemberRun(bytes: payload, entries: entries[start..<end].reversed())) { return }
      end = start
    }
  }

  /// Returns the position after an element of a set or a key of a map. The payload may have changed since.
  private func place(
    behind name: [UInt8],
    _ place: Int,
    _ payload: UnsafeRawBufferPointer,
    _ offset: Int,
    _ count: Int
  ) throws -> Int {
    let entries = try MemberRun.entries(payload, from: offset, place: 0, count: count, type: type)
    if let same = entries.first(where: { payload[$0.name].elementsEqual(name) }) { return same.place + 1 }
    return entries.first { !payload[$0.name].lexicographicallyPrecedes(name) }?.place ?? count
  }

  // MARK: In a tree

  private func walk(
    _ list: LargeList,
    _ start: Start,
    _ isBackward: Bool,
    _ body: (MemberRun) throws -> Bool
  ) throws {
    var place =
      switch start {
      case .place(let place), .offset(_, let place), .behind(_, let place, _): place
      }
    if isBackward { place = min(place, try list.existingCount() - 1) }
    while place >= 0, let (first, leaf) = try list.leaf(at: place) {
      let goesOn = try leaf.bytes.withUnsafeBytes { bytes in
        let entries = try MemberRun.entries(bytes, from: 0, place: first, count: leaf.count, type: type)
        let index = place - first
        let wanted = isBackward ? entries[...index].reversed() : Array(entries[index...])
        return try body(MemberRun(bytes: bytes, entries: wanted))
      }
      if !goesOn { return }
      place = isBackward ? first - 1 : first + leaf.count
    }
  }

  private func walk(_ table: LargeTable, _ start: Start, _ body: (MemberRun) throws -> Bool) throws {
    var runs: LargeRuns
    var place: Int
    let first: Int
    switch start {
    case .place(let start), .offset(_, let start):
      runs = try LargeRuns(table, toward: start)
      (place, first) = (runs.place, start)
    case .behind(let name, let start, let isExact):
      runs = try LargeRuns(table, behind: name, at: isExact ? start : nil)
      (place, first) = (start, start)
    }
    while let run = try runs.next() {
      let goesOn = try run.bytes.withUnsafeBytes { bytes in
        let entries = try MemberRun.entries(bytes, from: 0, place: place, count: run.count, type: type)
        let wanted = place < first ? Array(entries.drop { $0.place < first }) : entries
        return try wanted.isEmpty || body(MemberRun(bytes: bytes, entries: wanted))
      }
      if !goesOn { return }
      place += run.count
    }
  }

  // MARK: Positions

  /// Returns the current position of an object whose position was `place`. If the object occurs several
  /// times, returns the position nearest to the previous one.
  ///
  /// - Returns: `nil` if the object is no longer in the collection.
  func place(of key: some Collection<UInt8>, near place: Int, in environment: QueryEnvironment) throws -> Int?
  {
    var isThere = false
    if type.container == .list {
      try forEachRun(environment.tables, in: environment.transaction, from: .place(place)) { run in
        isThere = run.entries.first.map { run.key($0)?.elementsEqual(key) ?? false } ?? false
        return false
      }
      if isThere { return place }
    }
    var found: Int?
    try forEachRun(environment.tables, in: environment.transaction) { run in
      for entry in run.entries where run.key(entry)?.elementsEqual(key) ?? false {
        if let found, abs(found - place) <= abs(entry.place - place) { continue }
        found = entry.place
      }
      return true
    }
    return found
  }
}
