import LMDB

/// Access to rows by index.
extension QueryRunning {
  /// Returns the object at an index in the order of a query, with its targets prefetched, or `nil` beyond the
  /// end.
  func object(at index: Int, of description: QueryDescription) throws -> ObjectBase? {
    if let known = try recentPlace(index, of: description) { return known.object }
    var one = description
    var passed = 0
    if case .last? = description.limit {
      passed = index
    } else {
      let (offset, overflows) = description.offset.addingReportingOverflow(index)
      if overflows { return nil }
      one.offset = offset
      one.limit = .first(1)
    }
    let stream = RowStream(try prepare(one))
    defer { note(stream) }
    var found: ObjectBase?
    try stream.read(in: environment) { row in
      passed -= 1
      if passed < 0 { found = try object(row) }
      return passed >= 0
    }
    if let found { try prefetcher?.prefetch([found]) }
    return found
  }

  /// Returns the object at an index by its key, if earlier lookups of the query have collected the keys.
  ///
  /// - Returns: `nil` if the query must skip the rows before the index.
  private func recentPlace(_ index: Int, of description: QueryDescription) throws -> RowPlace? {
    // A query for the last rows finds all of them at once.
    if case .last(let count)? = description.limit, count > RecentPlaces.mostKeys { return nil }
    guard index > 0, let (places, state) = recentPlaces else { return nil }
    switch places.step(to: index, of: description, table, in: state) {
    case .pass: return nil
    case .end: return RowPlace(object: nil)
    case .key(let key):
      measure(QueryDescription(condition: .isKey(key, of: table.name)))
      return RowPlace(object: try object(ofKey: key))
    case .find(let count):
      let (keys, isWhole): (KeyArray, Bool)
      do { (keys, isWhole) = try self.keys(of: description, count) } catch let error as FiefError
        where error.code == .damagedRecord
      {
        // The query itself fails only if the damaged record is before the index.
        places.keep(nil, isWhole: false, of: description, table, in: state)
        return nil
      }
      places.keep(keys, isWhole: isWhole, of: description, table, in: state)
      guard index < keys.count else { return isWhole ? RowPlace(object: nil) : nil }
      return RowPlace(object: try object(ofKey: keys.withKey(at: index) { ObjectKey($0) }))
    }
  }

  /// The cache of keys for lookups by index, and the current state; `nil` if this state has no number.
  private var recentPlaces: (RecentPlaces, RecentPlaces.State)? {
    if context.given != nil { return nil }
    if let write = context.readingScope as? WriteTransaction {
      // Some changes may not be in the indexes yet.
      return write.activity.isDisjoint(with: [.decoding, .flushing]) ? write.recentPlaces : nil
    }
    guard store.numbersCommits || store.isInMemory else { return nil }
    let number = environment.transaction.id
    // The store caches only keys of its newest state, so an older snapshot has its own cache.
    if let snapshot = context.readingScope as? Snapshot, store.recentPlaces.isFormer(number) {
      return (snapshot.recentPlaces, .commit(number))
    }
    return (store.recentPlaces, .commit(number))
  }

  /// Returns the keys of the first `count` rows of a query, or of all rows if the query is for the last ones.
  /// It stops when the keys exceed the memory of the cache.
  private func keys(of description: QueryDescription, _ count: Int) throws -> (KeyArray, isWhole: Bool) {
    var first = description
    switch description.limit {
    case .first(let most)?: first.limit = .first(min(most, count))
    case .last?: break
    case nil: first.limit = .first(count)
    }
    let stream = RowStream(try prepare(first))
    var keys = KeyArray()
    defer {
      note(stream)
      noteReads(keys.count)
    }
    try stream.read(in: environment) { row in
      keys.append(row.key)
      return keys.size < RecentPlaces.mostBytes
    }
    if keys.size >= RecentPlaces.mostBytes { return (keys, false) }
    return (keys, first.limit == description.limit || keys.count < count)
  }

  /// Returns the object with a key, with its targets prefetched, or `nil` if the store has no such object.
  func object(ofKey key: ObjectKey) throws -> ObjectBase? {
    guard let records = table.records else { return nil }
    return try key.bytes.withUnsafeBytes { key in
      guard let record = try environment.transaction.get(records, key),
        let row = try environment.foundRow(of: table, key: key, record: record, if: nil)
      else { return nil }
      let object = try object(row)
      try prefetcher?.prefetch([object])
      return object
    }
  }
}

extension WriteTransaction {
  /// The cache of keys for lookups by index, and the state of the write.
  fileprivate var recentPlaces: (RecentPlaces, RecentPlaces.State) {
    if let knownPlaces, knownPlaces.since.isUnchanged {
      return (knownPlaces.keys, .write(knownPlaces.since))
    }
    let unchanged = UnchangedWrite()
    writer.add(unchanged)
    let keys = knownPlaces?.keys ?? RecentPlaces()
    knownPlaces = (keys, unchanged)
    return (keys, .write(unchanged))
  }
}
