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
    case .list(let list): return try Self.next(of: list, from: &index)
    case .table(var runs):
      defer { source = .table(runs) }
      return try runs.next()
    case .rest: return rest.popLast()
    }
  }

  private static func next(of list: LargeList, from index: inout Int) throws -> ElementRun? {
    guard let (first, run) = try list.leaf(at: index) else { return nil }
    let known = index - first
    index = first + run.count
    // A node may have become one with that before it, whose elements were handed out.
    return known > 0 ? try run.run(known..<run.count, type: list.type) : run
  }

  /// Reads the elements that are left, once.
  fileprivate func keepRest() throws {
    var rest: [ElementRun] = []
    switch source {
    case .list(let list):
      var index = index
      while let run = try Self.next(of: list, from: &index) { rest.append(run) }
    case .table(var runs): while let run = try runs.next() { rest.append(run) }
    case .rest: return
    }
    self.rest = rest.reversed()
    source = .rest
  }

  /// Counts on from another index, where a range of the list that was handed out is to be replaced; otherwise keeps the rest.
  fileprivate func willReplace(_ range: Range<Int>, byCount count: Int) throws {
    guard case .list = source, range.upperBound <= index, index > 0 else { return try keepRest() }
    index += count - range.count
  }

  /// Keeps the rest, where an element that was not handed out yet is to be put in or taken out.
  fileprivate func willChange(at key: [UInt8]) throws {
    if case .table(let runs) = source, runs.isBehind(key) { return }
    try keepRest()
  }

  /// Called after an element before the next one was put in or taken out.
  fileprivate func didChange(by count: Int) {
    guard case .table(var runs) = source else { return }
    runs.shift(by: count)
    source = .table(runs)
  }
}

/// The walks through large collections that one write has begun.
///
/// Invariant: it is called before each change of a large collection.
struct CollectionWalks {
  private struct Entry {
    weak var walk: LargeWalk?
  }

  private var entries: [Entry] = []

  mutating func add(_ walk: LargeWalk) {
    entries.removeAll { $0.walk == nil }
    entries.append(Entry(walk: walk))
  }

  /// Has the walks keep what is left of the collections whose keys begin with a prefix, and which are to be changed.
  func willChange(_ prefix: [UInt8]) throws {
    try forEach(prefix) { try $0.keepRest() }
  }

  /// Has all walks keep what is left, before changes that may be rolled back: a rollback would not bring their places back.
  mutating func keepAll() throws {
    for entry in entries { try entry.walk?.keepRest() }
    entries.removeAll()
  }

  /// Before elements of a list are replaced by some number of others.
  func willReplace(_ range: Range<Int>, byCount count: Int, of prefix: [UInt8]) throws {
    try forEach(prefix) { try $0.willReplace(range, byCount: count) }
  }

  /// Before an element of a set, with some key in the tree, is put in or taken out.
  ///
  /// - Parameter key: is asked for only where there are walks.
  func willChange(_ prefix: [UInt8], at key: @autoclosure () -> [UInt8]) throws {
    try forEach(prefix) { try $0.willChange(at: key()) }
  }

  /// After it was put in or taken out.
  func didChange(_ prefix: [UInt8], by count: Int) {
    forEach(prefix) { $0.didChange(by: count) }
  }

  @inline(__always)
  private func forEach(_ prefix: [UInt8], _ body: (LargeWalk) throws -> Void) rethrows {
    if entries.isEmpty { return }
    for entry in entries {
      if let walk = entry.walk, walk.prefix.starts(with: prefix) { try body(walk) }
    }
  }
}
