import LMDB

/// A source of objects' keys: a tree, a full-text search, or a combination of sources.
indirect enum KeySource {
  case ranges(TreeRanges)
  case fullText(Table.Index, FullTextQuery)
  /// The first one is the one that is expected to have the fewest.
  case intersection([KeySource])
  case union([KeySource])

  /// The keys in their order; nil where they take more bytes than the limit.
  func keys(in transaction: LMDB.Transaction, limit: Int) throws -> KeyList? {
    let list = KeyList(limit: limit)
    guard try fill(list, in: transaction, limit: limit) else { return nil }
    list.sort()
    guard case .intersection(let sources) = self else { return list }
    var rest = list
    for source in sources.dropFirst() where rest.count > 0 {
      var marks = Array(repeating: false, count: rest.count)
      let isComplete = try source.forEachKey(in: transaction, limit: limit) { key in
        if let index = rest.index(of: key) { marks[index] = true }
        return true
      }
      guard isComplete else { return nil }
      rest = rest.keys(markedIn: marks)
    }
    return rest
  }

  private func fill(_ list: KeyList, in transaction: LMDB.Transaction, limit: Int) throws -> Bool {
    if case .intersection(let sources) = self {
      guard let first = sources.first else { return true }
      return try first.fill(list, in: transaction, limit: limit)
    }
    return try forEachKey(in: transaction, limit: limit) { list.append($0) }
  }

  /// Calls `body` with each key, in any order, some of them more than once; false where it returned that, or
  /// where there are too many to hold.
  private func forEachKey(
    in transaction: LMDB.Transaction,
    limit: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    switch self {
    case .ranges(let ranges): return try ranges.forEachKey(in: transaction, body)
    case .fullText(let index, let query):
      var goesOn = true
      try FullTextSearch(query, index: index, transaction: transaction).forEachKey { key in
        goesOn = try key.bytes.withUnsafeBytes { try body($0) }
        return goesOn
      }
      return goesOn
    case .union(let sources):
      for source in sources {
        guard try source.forEachKey(in: transaction, limit: limit, body) else { return false }
      }
      return true
    case .intersection:
      guard let list = try keys(in: transaction, limit: limit) else { return false }
      for index in 0..<list.count {
        guard try list.withKey(index, body) else { return false }
      }
      return true
    }
  }

  /// The number of keys, nil where they have to be put together for that.
  func count(in transaction: LMDB.Transaction) throws -> Int? {
    if case .ranges(let ranges) = self { return try ranges.count(in: transaction) }
    return nil
  }
}
