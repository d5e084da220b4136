import Fief

/// The rows about a list of links: one operation after another in one write, or in one read scope.
///
/// The store is in memory, and the writes are not committed, so that each begins with the same list.
extension FiefRows {
  private static let sizes = ["100": 100, "10k": 10_000, "1m": 1_000_000]

  func listFigure(of row: String, _ times: Int) throws -> Figure? {
    let parts = row.split(separator: "_")
    guard parts.count == 3, parts[0] == "List", let size = Self.sizes[String(parts[2])] else { return nil }
    let operations = min(1_000, size / 2)
    let repository = try listStore(size)
    if parts[1] == "get" {
      return try reading(times, operations: operations) {
        var sum = 0
        try repository.read { snapshot in
          let leaves = try Self.leaves(of: snapshot.object(ofType: Track.self, forPrimaryKey: 1))
          for index in Self.places(operations, in: size) { sum += leaves[index].id }
        }
        try check(row, sum, Self.places(operations, in: size).reduce(0) { $0 + $1 + 1 })
      }
    }
    if let figure = try listQuery(of: parts[1], row, times, size, repository) { return figure }
    return try repeated(times, operations: operations) {
      try Clock.time {
        try change(repository, operations, in: size) { transaction, leaves, index, step in
          switch parts[1] {
          case "append":
            guard let leaf = try transaction.object(ofType: Leaf.self, forPrimaryKey: step + 1) else {
              return
            }
            leaves.append(leaf)
          case "insert":
            guard let leaf = try transaction.object(ofType: Leaf.self, forPrimaryKey: step + 1) else {
              return
            }
            leaves.insert(leaf, at: index)
          case "move": leaves.move(from: index, to: size - 1 - index)
          default: leaves.remove(at: index / 2)
          }
        }
      }
    }
  }

  /// The rows that ask a list for some of its objects; nil for all others.
  private func listQuery(
    of name: Substring,
    _ row: String,
    _ times: Int,
    _ size: Int,
    _ repository: BenchmarkRepository
  ) throws -> Figure? {
    switch name {
    case "loop":
      return try reading(times, operations: size) {
        // Each time an owner whose links were not followed.
        let owner = try track(of: repository)
        var count = 0
        for leaf in owner.leaves where leaf.id % 3 == 0 { count += 1 }
        try check(row, count, size / 3)
      }
    case "where":
      return try reading(times, operations: size) {
        let owner = try track(of: repository)
        try check(row, try owner.leaves.where { $0.id % 3 == 0 }.fetchCount(), size / 3)
      }
    case "some":
      let first = size / 2
      return try reading(times, operations: 1) {
        let owner = try track(of: repository)
        var sum = 0
        for leaf in owner.leaves.where({ $0.id > first && $0.id <= first + 10 }) { sum += leaf.id }
        try check(row, sum, 10 * first + 55)
      }
    default: return nil
    }
  }

  private func track(of repository: BenchmarkRepository) throws -> Track {
    guard let track = repository.object(ofType: Track.self, forPrimaryKey: 1) else {
      throw BenchmarkError("the list's owner is missing")
    }
    return track
  }

  /// The error that ends a measured write, so that the next one begins with the same list.
  private struct TakenBack: Error {}

  private func change(
    _ repository: BenchmarkRepository,
    _ operations: Int,
    in size: Int,
    _ body: (WriteTransaction, List<Leaf>, Int, Int) throws -> Void
  ) throws {
    do {
      try repository.write { transaction in
        let leaves = try Self.leaves(of: transaction.object(ofType: Track.self, forPrimaryKey: 1))
        for (step, index) in Self.places(operations, in: size).enumerated() {
          try body(transaction, leaves, index, step)
        }
        // The assigned values are written before this is counted.
        try check("List", try transaction.count(Track.self), 1)
        throw TakenBack()
      }
    } catch is TakenBack {}
  }

  private static func leaves(of track: Track?) throws -> List<Leaf> {
    guard let track else { throw BenchmarkError("the list's owner is missing") }
    return track.leaves
  }

  /// Places all over a list, in no order.
  private static func places(_ count: Int, in size: Int) -> [Int] {
    (0..<count).map { ($0 &* 7_919 &+ 13) % size }
  }

  private func listStore(_ size: Int) throws -> BenchmarkRepository {
    if let known = lists[size] { return known }
    let repository = BenchmarkRepository([Track.self, Leaf.self], inMemory: directory + "/List\(size)")
    let leaves = (1...max(size, 1_000)).map { Leaf(id: $0) }
    let track = Track(id: 1)
    track.leaves.append(objectsIn: leaves.prefix(size))
    try repository.insert(leaves + [track])
    lists[size] = repository
    return repository
  }
}
