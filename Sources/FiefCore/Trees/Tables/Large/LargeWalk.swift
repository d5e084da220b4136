/// A walk through a large list or set. It returns the elements that the collection has when the walk begins.
///
/// Before a write changes the collection, ``CollectionWalks`` calls the methods below, which copy the
/// remaining elements if necessary.
final class LargeWalk {
  private enum Source {
    case list(LargeList)
    case table(LargeRuns)
    /// The remaining elements, which were copied.
    case rest
  }

  /// The prefix of all keys of the collection.
  let prefix: [UInt8]
  private var source: Source
  /// The index of the next element of a list.
  private var index = 0
  /// The copied elements, with the last run first.
  private var rest: [ElementRun] = []

  /// - Throws: ``FiefError`` of code `damagedRecord` if the collection does not exist.
  init(_ collection: LargeCollection) throws {
    prefix = collection.prefix
    switch collection {
    case let list as LargeList: source = .list(list)
    case let table as LargeTable: source = .table(try LargeRuns(table))
    default: source = .rest
    }
  }

  /// Returns the next elements, or `nil` at the end.
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
    // The node may have been merged with its predecessor, whose elements were already returned.
    return known > 0 ? try run.run(known..<run.count, type: list.type) : run
  }

  /// Copies the remaining elements. Does nothing if they were copied before.
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

  /// Called before a range is replaced. If the walk has already returned the range, shifts the index;
  /// otherwise copies the remaining elements.
  fileprivate func willReplace(_ range: Range<Int>, byCount count: Int) throws {
    guard case .list = source, range.upperBound <= index, index > 0 else { return try keepRest() }
    index += count - range.count
  }

  /// Called before an element is inserted or removed. Copies the remaining elements unless the walk has
  /// passed the element.
  fileprivate func willChange(at key: [UInt8]) throws {
    if case .table(let runs) = source, runs.isBehind(key) { return }
    try keepRest()
  }

  /// Shifts the index after an element was inserted or removed that the walk has passed.
  fileprivate func didChange(by count: Int) {
    guard case .table(var runs) = source else { return }
    runs.shift(by: count)
    source = .table(runs)
  }
}

/// The walks through large collections in one write.
///
/// Invariant: every change of a large collection is announced here before it happens.
struct CollectionWalks {
  private struct Entry {
    weak var walk: LargeWalk?
  }

  private var entries: [Entry] = []

  mutating func add(_ walk: LargeWalk) {
    entries.removeAll { $0.walk == nil }
    entries.append(Entry(walk: walk))
  }

  /// Copies the remaining elements of walks through the collections with a key prefix, before these
  /// collections change.
  func willChange(_ prefix: [UInt8]) throws {
    try forEach(prefix) { try $0.keepRest() }
  }

  /// Copies the remaining elements of all walks, before changes that may be rolled back. A rollback would not
  /// restore the walks' positions.
  mutating func keepAll() throws {
    for entry in entries { try entry.walk?.keepRest() }
    entries.removeAll()
  }

  /// Called before a range of a list is replaced by `count` elements.
  func willReplace(_ range: Range<Int>, byCount count: Int, of prefix: [UInt8]) throws {
    try forEach(prefix) { try $0.willReplace(range, byCount: count) }
  }

  /// Called before an element of a set is inserted or removed.
  ///
  /// - Parameter key: The key of the element's entry. Evaluated only if there are walks.
  func willChange(_ prefix: [UInt8], at key: @autoclosure () -> [UInt8]) throws {
    try forEach(prefix) { try $0.willChange(at: key()) }
  }

  /// Called after an element was inserted or removed.
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
