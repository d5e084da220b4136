import LMDB

/// A source of objects' keys: a tree, the candidates of an index, or a combination of sources.
indirect enum KeySource {
  case ranges(TreeRanges)
  case candidates(any IndexCandidates)
  /// The first source is the one with the fewest expected keys.
  case intersection([KeySource])
  case union([KeySource])

  /// Returns the keys in their order, or `nil` if they take more bytes than the limit.
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

  /// Calls `body` with each key, in any order. Some keys may occur several times.
  ///
  /// - Returns: `false` if `body` returned `false`, or if the keys of an intersection exceed the limit.
  private func forEachKey(
    in transaction: LMDB.Transaction,
    limit: Int,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws -> Bool {
    switch self {
    case .ranges(let ranges): return try ranges.forEachKey(in: transaction, body)
    case .candidates(let candidates):
      var goesOn = true
      try candidates.forEachKey(in: transaction) { key in
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

  /// Returns the number of keys, or `nil` if they must be collected to count them.
  func count(in transaction: LMDB.Transaction) throws -> Int? {
    if case .ranges(let ranges) = self { return try ranges.count(in: transaction) }
    return nil
  }
}
