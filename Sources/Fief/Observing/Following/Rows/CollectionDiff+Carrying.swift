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

  func put(into builder: inout ObservedRowsBuilder) {
    let (isCarried, replaced) = carried()
    /// The listener's rows since the last one that has stayed.
    var own: [(index: Int, stamp: UInt32)] = []
    var next = 0
    func append(before end: Int) {
      let others = (next..<end).filter { !isCarried[$0] }
      for (index, stamp) in own {
        // Where the listener has put it among rows that are gone by now is not known: when these are taken away, it may
        // be at the place of another one of its own.
        let isCertain = others.isEmpty
        builder.append(rows.key(index), stamp: isCertain ? stamp : ~rows.stamps[index])
      }
      own = []
      for index in others { builder.append(base.key(index), stamp: base.stamps[index]) }
      next = end
    }
    for index in 0..<rows.count {
      let former = Int(formerOf[index])
      // New by the listener's change.
      guard former >= 0 else {
        // Where it replaces a row, the listener may have more of the object than it should.
        own.append((index, replaced[index].map { base.stamps[$0] } ?? rows.stamps[index]))
        continue
      }
      let place = Int(reported[former])
      // New by a change that was not told of.
      guard place >= 0 else { continue }
      let stamp = stamp(of: index, former, place)
      if !isKeptInRows[index] {
        own.append((index, stamp))
      } else if isKeptInFormer[former] {
        append(before: place)
        builder.append(rows.key(index), stamp: stamp)
        next = place + 1
      }
    }
    append(before: base.count)
  }

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
