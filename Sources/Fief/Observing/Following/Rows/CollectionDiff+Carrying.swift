extension CollectionDiff {
  /// Does with rows that were reported what was done with later ones of which nothing is to be reported.
  ///
  /// What came between the reported rows and `former` is left to be told of: what is gone there stays, what is new there
  /// does not come. Of an object with several rows the first one is taken for the first one, and so on.
  ///
  /// - Parameters:
  ///   - reported: what the listener was told of last.
  ///   - former: what was there before the listener's own change.
  ///   - rows: what is there after it.
  ///   - isUnique: whether no two rows are of one object: what the listener puts in then replaces what it has of it.
  /// - Returns: the rows from which the changes of all others are to be told.
  static func carrying(
    _ reported: ObservedRows,
    from former: ObservedRows,
    to rows: ObservedRows,
    isUnique: Bool
  ) -> ObservedRows {
    if changes(from: reported, to: former).isEmpty { return rows }
    if changes(from: former, to: rows).isEmpty { return reported }
    let (base, between, all) = (
      RowBuffer(reported.runs[...]), RowBuffer(former.runs[...]), RowBuffer(rows.runs[...])
    )
    var builder = ObservedRowsBuilder(like: rows)
    base.withView { base in
      between.withView { between in
        all.withView { Carrying(base: base, former: between, rows: $0, isUnique).put(into: &builder) }
      }
    }
    return builder.finish()
  }
}

/// Brings a change from one state of rows to an earlier one.
private struct Carrying {
  let base: RowView
  let former: RowView
  let rows: RowView
  /// For each of the former rows the reported one of the same object, and whether it has stayed where it was.
  private let reported: [Int32]
  private let isKeptInFormer: [Bool]
  /// For each row the former one.
  private let formerOf: [Int32]
  private let isKeptInRows: [Bool]
  private let isUnique: Bool

  init(base: RowView, former: RowView, rows: RowView, _ isUnique: Bool) {
    self.base = base
    self.former = former
    self.rows = rows
    self.isUnique = isUnique
    (reported, isKeptInFormer) = Self.partners(of: former, among: base)
    (formerOf, isKeptInRows) = Self.partners(of: rows, among: former)
  }

  private static func partners(of rows: RowView, among others: RowView) -> ([Int32], [Bool]) {
    let all = RowPartners.partners(of: rows, 0..<rows.count, among: others, 0..<others.count)
    var kept = all
    IncreasingSubsequence.keep(in: &kept)
    return (all, kept.map { $0 >= 0 })
  }

  /// A row between two that are certainly where the listener has them.
  private enum Item {
    /// The listener's own, or one that was changed since it was told of.
    case known(row: Int, stamp: UInt32)
    /// One that is gone by now, or elsewhere.
    case other(reported: Int)
  }

  func put(into builder: inout ObservedRowsBuilder) {
    let (isCarried, replaced) = carried()
    var items: [Item] = []
    var next = 0
    func skip(to end: Int) {
      for index in next..<end where !isCarried[index] { items.append(.other(reported: index)) }
      next = end
    }
    for index in 0..<rows.count {
      let former = Int(formerOf[index])
      // New by the listener's change.
      guard former >= 0 else {
        // Where it replaces a row, the listener may have more of the object than it should.
        let stamp = replaced[index].map { base.stamps[$0] } ?? rows.stamps[index]
        items.append(.known(row: index, stamp: stamp))
        continue
      }
      let place = Int(reported[former])
      // New by a change that was not told of.
      guard place >= 0 else { continue }
      let stamp = stamp(of: index, former, place)
      if !isKeptInRows[index] {
        items.append(.known(row: index, stamp: stamp))
      } else if isKeptInFormer[former] {
        skip(to: place)
        next = place + 1
        if base.stamps[place] == self.former.stamps[former] {
          put(items, into: &builder)
          items = []
          builder.append(rows.key(index), stamp: stamp)
        } else {
          items.append(.known(row: index, stamp: stamp))
        }
      }
    }
    skip(to: base.count)
    put(items, into: &builder)
  }

  /// Where the listener has put its own rows among those that are gone by now is not known. When these are taken away by
  /// their places, others may be in theirs, so that all of them are to be told of as modified.
  private func put(_ items: [Item], into builder: inout ObservedRowsBuilder) {
    let others = items.count { if case .other = $0 { true } else { false } }
    let isCertain = others == 0 || others == items.count
    for item in items {
      switch item {
      case .known(let row, let stamp):
        builder.append(rows.key(row), stamp: isCertain ? stamp : Self.modified(rows.stamps[row]))
      case .other(let row):
        let stamp = base.stamps[row]
        builder.append(base.key(row), stamp: isCertain ? stamp : Self.modified(stamp))
      }
    }
  }

  /// Another stamp, and another one again of that.
  private static func modified(_ stamp: UInt32) -> UInt32 { stamp &* 2_654_435_761 &+ 1 }

  /// Which of the reported rows the listener's change has taken away, put elsewhere or replaced, and the last ones by what
  /// replaces them.
  private func carried() -> ([Bool], [Int: Int]) {
    var replaced: [Int: Int] = [:]
    var stays = Array(repeating: false, count: former.count)
    for index in 0..<rows.count where isKeptInRows[index] { stays[Int(formerOf[index])] = true }
    var isCarried = Array(repeating: false, count: base.count)
    for index in 0..<former.count where !stays[index] && reported[index] >= 0 {
      isCarried[Int(reported[index])] = true
    }
    if isUnique {
      let places = RowPartners.partners(of: rows, 0..<rows.count, among: base, 0..<base.count)
      for index in 0..<rows.count where formerOf[index] < 0 && places[index] >= 0 {
        isCarried[Int(places[index])] = true
        replaced[index] = Int(places[index])
      }
    }
    return (isCarried, replaced)
  }

  /// A row that others have changed stays to be told of.
  private func stamp(of row: Int, _ former: Int, _ place: Int) -> UInt32 {
    base.stamps[place] == self.former.stamps[former] ? rows.stamps[row] : base.stamps[place]
  }
}
