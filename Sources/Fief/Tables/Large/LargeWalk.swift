import LMDB

/// A walk through a large list or set, which hands out the elements that it has when the walk begins.
///
/// Before a write changes the collection, ``CollectionWalks`` has the walk keep the elements that are left.
final class LargeWalk {
  private enum Source {
    case list(LargeList)
    case table(LargeRuns)
    /// What was kept.
    case rest
  }

  /// The bytes that the keys of the collection begin with.
  let prefix: [UInt8]
  private var source: Source
  /// The index of the next element of a list.
  private var index = 0
  /// What was kept, the last run first.
  private var rest: [ElementRun] = []

  /// - Throws: ``FiefError`` of code `damagedRecord` where there is no such collection.
  init(_ collection: LargeCollection) throws {
    prefix = collection.prefix
    switch collection {
    case let list as LargeList: source = .list(list)
    case let table as LargeTable: source = .table(try LargeRuns(table))
    default: source = .rest
    }
  }

  /// The next elements; nil at the end.
  func next() throws -> ElementRun? {
    switch source {
    case .list(let list):
      guard let (first, run) = try list.leaf(at: index) else { return nil }
      index = first + run.count
      return run
    case .table(var runs):
      defer { source = .table(runs) }
      return try runs.next()
    case .rest: return rest.popLast()
    }
  }

  /// Reads the elements that are left, once.
  ///
  /// - Parameter transaction: the innermost one, in which alone the store can be read now.
  func keepRest(in transaction: LMDB.Transaction) throws {
    switch source {
    case .list(let list):
      source = .list(LargeList(prefix, type: list.type, tree: list.tree, in: transaction))
    case .table(let runs): source = .table(runs.reading(in: transaction))
    case .rest: return
    }
    var rest: [ElementRun] = []
    while let run = try next() { rest.append(run) }
    self.rest = rest.reversed()
    source = .rest
  }
}

/// The walks through large collections that one write has begun.
final class CollectionWalks {
  private struct Entry {
    weak var walk: LargeWalk?
  }

  private var entries: [Entry] = []

  func add(_ walk: LargeWalk) {
    entries.removeAll { $0.walk == nil }
    entries.append(Entry(walk: walk))
  }

  /// Has the walks keep what is left of the collections whose keys begin with a prefix, and which are to be changed.
  func willChange(_ prefix: [UInt8], in transaction: LMDB.Transaction) throws {
    if entries.isEmpty { return }
    for entry in entries {
      guard let walk = entry.walk, walk.prefix.starts(with: prefix) else { continue }
      try walk.keepRest(in: transaction)
    }
    entries.removeAll { $0.walk.map { $0.prefix.starts(with: prefix) } ?? true }
  }
}
