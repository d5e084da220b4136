import Fief
import FiefStress
import TestEffort
import Testing

@testable import FiefObserving

/// The difference of two states of rows leads from one to the other.
@Suite(.timeLimit(.minutes(20)))
struct CollectionDiffTests {
  private struct Row: Equatable {
    var key: Int
    var stamp: UInt64
  }

  private func rows(_ rows: [Row]) -> ObservedRows {
    var builder = ObservedRowsBuilder()
    for row in rows {
      ObjectKey(rowID: Int64(row.key)).bytes.withUnsafeBytes { builder.append($0, stamp: row.stamp) }
    }
    return builder.finish()
  }

  private func contents(_ rows: ObservedRows) -> [Row] {
    (0..<rows.count).compactMap { index in
      guard let key = rows.key(at: index), let stamp = rows.stamp(at: index) else { return nil }
      return Row(key: Int(key.description) ?? -1, stamp: stamp)
    }
  }

  private func check(
    _ changes: CollectionChanges,
    _ old: [Row],
    _ new: [Row],
    _ comment: Comment,
    isMinimal: Bool = false
  ) {
    #expect(changes.deletions == changes.deletions.sorted(), comment)
    #expect(changes.insertions == changes.insertions.sorted(), comment)
    #expect(changes.modifications == changes.modifications.sorted(), comment)
    var applied = old
    for index in changes.deletions.reversed() { applied.remove(at: index) }
    for index in changes.insertions { applied.insert(new[index], at: index) }
    #expect(applied.map(\.key) == new.map(\.key), comment)
    let differing = new.indices.filter { $0 < applied.count && applied[$0].stamp != new[$0].stamp }
    #expect(changes.modifications == differing, comment)
    guard isMinimal else { return }
    #expect(old.count - changes.deletions.count == Self.longest(old.map(\.key), new.map(\.key)), comment)
  }

  /// The number of elements of two sequences that can stay.
  private static func longest(_ first: [Int], _ second: [Int]) -> Int {
    var lengths = [Int](repeating: 0, count: second.count + 1)
    for element in first {
      var diagonal = 0
      for index in second.indices {
        let above = lengths[index + 1]
        lengths[index + 1] = second[index] == element ? diagonal + 1 : max(above, lengths[index])
        diagonal = above
      }
    }
    return lengths[second.count]
  }

  @Test(arguments: 0..<TestEffort.count(60, more: 300)) func asFewAsPossibleOfSmallOnes(_ run: Int) {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    func some() -> [Row] {
      (0..<12).filter { _ in random.next(3) > 0 }.shuffled(using: &random)
        .map { Row(key: $0, stamp: UInt64(random.next(2))) }
    }
    let (old, new) = (some(), some())
    let changes = CollectionDiff.changes(from: rows(old), to: rows(new))
    check(changes, old, new, "seed \(seed): \(old) to \(new)", isMinimal: true)
  }

  @Test(arguments: 0..<TestEffort.count(20, more: 60)) func objectsWithSeveralRows(_ run: Int) {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    func some() -> [Row] {
      (0..<random.next(40)).map { _ in Row(key: random.next(6), stamp: UInt64(random.next(2))) }
    }
    let (old, new) = (some(), some())
    check(CollectionDiff.changes(from: rows(old), to: rows(new)), old, new, "seed \(seed): \(old) to \(new)")
  }

  /// Edits that leave most runs as they are.
  @Test(arguments: 0..<TestEffort.count(4, more: 20)) func rowsThatShareRuns(_ run: Int) {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let start = (0..<(500 + random.next(4_000))).map { Row(key: $0, stamp: 0) }.shuffled(using: &random)
    var (old, current) = (rows(start), start)
    for round in 0..<10 {
      var builder = ObservedRowsBuilder()
      var new: [Row] = []
      var position = 0
      for _ in 0..<random.next(8) {
        let next = min(position + random.next(1_200), old.count)
        builder.append(old, position..<next)
        new += current[position..<next]
        position = next
        let added = Row(
          key: random.next(3) == 0 ? 100_000 + random.next(100_000) : random.next(5_000),
          stamp: 1
        )
        ObjectKey(rowID: Int64(added.key)).bytes.withUnsafeBytes { builder.append($0, stamp: added.stamp) }
        new.append(added)
        position = min(position + random.next(4), old.count)
      }
      builder.append(old, position..<old.count)
      new += current[position...]
      let edited = builder.finish()
      #expect(contents(edited) == new, "seed \(seed), round \(round)")
      #expect(edited.count == new.count)
      check(CollectionDiff.changes(from: old, to: edited), current, new, "seed \(seed), round \(round)")
      (old, current) = (edited, new)
    }
  }

  @Test func manyChangesOfMany() {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    let old = (0..<20_000).map { Row(key: $0, stamp: 0) }
    var new = old
    for _ in 0..<2_000 {
      let row = new.remove(at: random.next(new.count))
      if random.next(2) == 0 { new.insert(row, at: random.next(new.count)) }
    }
    let changes = CollectionDiff.changes(from: rows(old), to: rows(new))
    check(changes, old, new, "seed \(seed)")
    #expect(changes.deletions.count <= 2_000, "seed \(seed)")
  }

  /// Repeated elements stay where they have not changed between two others that have.
  @Test func twoEditsAmongRepeatedElements() {
    let old = (0..<3_000).map { Row(key: $0 % 50, stamp: 0) }
    var new = old
    new.remove(at: 2_000)
    new.remove(at: 10)
    let changes = CollectionDiff.changes(from: rows(old), to: rows(new))
    check(changes, old, new, "two deletions")
    #expect(changes.deletions == [10, 2_000] && changes.insertions.isEmpty)
  }

  @Test func emptyOnes() {
    let some = rows([Row(key: 1, stamp: 1), Row(key: 2, stamp: 1)])
    #expect(CollectionDiff.changes(from: .none, to: .none).isEmpty)
    #expect(CollectionDiff.changes(from: some, to: some).isEmpty)
    #expect(CollectionDiff.changes(from: .none, to: some).insertions == [0, 1])
    #expect(CollectionDiff.changes(from: some, to: .none).deletions == [0, 1])
    #expect(some.key(at: 2) == nil && some.key(at: -1) == nil && some.stamp(at: 2) == nil)
    #expect(some.index(of: ObjectKey(rowID: 2)) == 1 && some.index(of: ObjectKey(rowID: 3)) == nil)
    #expect(some.slice(1..<9).count == 1 && some.slice(5..<9).isEmpty)
  }

  // MARK: The observer's own changes

  /// A table view that has made some changes itself arrives at the new rows with the reported changes of the others.
  @Test func ownChangesAreNotReported() {
    let old = [1, 2, 3, 4, 5].map { Row(key: $0, stamp: 0) }
    // Others: 4 has gone, 8 has come, 1 and 3 have changed.
    let between = [(1, 1), (2, 0), (3, 1), (5, 0), (8, 0)].map { Row(key: $0, stamp: $1) }
    // Itself: 2 has gone, 9 has come behind 3, 5 has moved to the start and changed.
    let new = [(5, 1), (1, 1), (3, 1), (9, 0), (8, 0)].map { Row(key: $0, stamp: $1) }
    let base = CollectionDiff.carrying(rows(old), from: rows(between), to: rows(new), isUnique: true)
    #expect(contents(base).map(\.key) == [5, 1, 3, 9, 4])
    let changes = CollectionDiff.changes(from: base, to: rows(new))
    // 5 and 9 may be before or behind 4, which was deleted: all rows are reported as modified.
    #expect(changes.deletions == [4] && changes.insertions == [4] && changes.modifications == [0, 1, 2, 3])
  }

  @Test func ownChangesOfWhatOthersHaveChanged() {
    let old = [1, 2, 3].map { Row(key: $0, stamp: 0) }
    // Others: 4 has come, 1 has moved to the end, 2 has changed. Itself: all of these are gone, or have changed.
    let between = [(2, 1), (3, 0), (4, 0), (1, 0)].map { Row(key: $0, stamp: $1) }
    let gone = CollectionDiff.carrying(
      rows(old),
      from: rows(between),
      to: rows([Row(key: 3, stamp: 0)]),
      isUnique: true
    )
    #expect(contents(gone).map(\.key) == [3])
    let changed = between.map { Row(key: $0.key, stamp: 7) }
    let base = CollectionDiff.carrying(rows(old), from: rows(between), to: rows(changed), isUnique: true)
    #expect(contents(base).map(\.key) == [1, 2, 3])
    let changes = CollectionDiff.changes(from: base, to: rows(changed))
    #expect(changes.deletions == [0] && changes.insertions == [2, 3] && changes.modifications == [0])
  }

  /// A screen in the order of keys changes rows itself and is notified of the others late: the notifications lead it to
  /// exactly the rows of the store, with their stamps.
  @Test(arguments: 0..<TestEffort.count(8, more: 40)) func aScreenThatChangesRowsItself(_ run: Int) {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    var (screen, reported, current): ([Row], [Row], [Row]) = ([], [], [])
    var log: [String] = []
    /// - Returns: the row that it takes out or changes, and the one that is there then.
    func change(_ rows: inout [Row]) -> (key: Int, was: Bool, row: Row?) {
      let key = random.next(8)
      let stamp = UInt64(random.next(1 << 20))
      let place = rows.firstIndex { $0.key >= key } ?? rows.count
      let isThere = place < rows.count && rows[place].key == key
      let row = Row(key: key, stamp: stamp)
      switch (isThere, random.next(2)) {
      case (true, 0): rows.remove(at: place)
      case (true, _): rows[place] = row
      case (false, _): rows.insert(row, at: place)
      }
      let isGone = isThere && !(place < rows.count && rows[place].key == key)
      return (key, isThere, isGone ? nil : row)
    }
    for _ in 0..<400 {
      switch random.next(5) {
      case 0, 1:
        let done = change(&current)
        log.append("other \(done)")
      case 2, 3:
        let former = current
        let done = change(&current)
        log.append("own \(done)")
        let carried = CollectionDiff.carrying(
          rows(reported),
          from: rows(former),
          to: rows(current),
          isUnique: true
        )
        reported = contents(carried)
        let place = screen.firstIndex { $0.key >= done.key } ?? screen.count
        let isShown = place < screen.count && screen[place].key == done.key
        switch (done.row, isShown) {
        case (let row?, true): screen[place] = row
        case (let row?, false) where !done.was: screen.insert(row, at: place)
        case (nil, true): screen.remove(at: place)
        default: break
        }
      default:
        let changes = CollectionDiff.changes(from: rows(reported), to: rows(current))
        for index in changes.deletions.reversed() { screen.remove(at: index) }
        for index in changes.insertions { screen.insert(current[index], at: index) }
        for index in changes.modifications { screen[index] = current[index] }
        if screen != current {
          Issue.record(
            "seed \(seed): \(screen.map(\.key)) is not \(current.map(\.key)) after \(log) by \(changes)"
          )
          return
        }
        reported = current
        log = ["shown \(current.map(\.key))"]
      }
    }
  }

  /// An inserted element of a list is another one, an inserted row of a query is the same object.
  @Test func ownChangesOfWhatIsGone() {
    let (old, new) = (rows([Row(key: 1, stamp: 0)]), rows([Row(key: 1, stamp: 1)]))
    let list = CollectionDiff.carrying(old, from: rows([]), to: new, isUnique: false)
    let query = CollectionDiff.carrying(old, from: rows([]), to: new, isUnique: true)
    #expect(contents(list).count == 2 && CollectionDiff.changes(from: list, to: new).deletions.count == 1)
    #expect(contents(query).map(\.key) == [1])
    #expect(CollectionDiff.changes(from: query, to: new).modifications == [0])
  }

  @Test func onlyOwnChanges() {
    let old = (0..<1_000).map { Row(key: $0, stamp: 0) }
    var new = old
    new.swapAt(10, 900)
    new[500].stamp = 7
    #expect(
      contents(CollectionDiff.carrying(rows(old), from: rows(old), to: rows(new), isUnique: true)) == new
    )
    #expect(
      contents(CollectionDiff.carrying(rows(old), from: rows(new), to: rows(new), isUnique: true)) == old
    )
  }

  @Test(arguments: 0..<TestEffort.count(10, more: 40)) func randomOwnChanges(_ run: Int) {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = StressRandom(seed: seed)
    func some() -> [Row] {
      (0..<30).filter { _ in random.next(3) > 0 }.shuffled(using: &random)
        .map { Row(key: $0, stamp: UInt64(random.next(2))) }
    }
    let (old, between, new) = (some(), some(), some())
    let base = CollectionDiff.carrying(rows(old), from: rows(between), to: rows(new), isUnique: true)
    let comment: Comment = "seed \(seed): \(old), \(between), \(new)"
    func keys(_ rows: [Row]) -> Set<Int> { Set(rows.map(\.key)) }
    // The rows that the observer has inserted and removed, among those that it knows.
    let added = keys(new).subtracting(keys(between))
    let removed = keys(between).subtracting(keys(new))
    #expect(keys(contents(base)) == keys(old).subtracting(removed).union(added), comment)
    #expect(contents(base).count == keys(contents(base)).count, comment)
    check(CollectionDiff.changes(from: base, to: rows(new)), contents(base), new, comment)
  }
}
