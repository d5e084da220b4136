import FiefCore

extension CollectionDiff {
  /// Applies a silent change to the reported rows, so that later differences leave it out.
  ///
  /// The changes between the reported rows and `former` stay to be reported: rows that were deleted there stay, rows that were
  /// inserted there are left out. Several rows of one object correspond in their order.
  ///
  /// - Parameters:
  ///   - reported: the rows as of the last report.
  ///   - former: the rows before the silent change.
  ///   - rows: the rows after it.
  ///   - isUnique: whether no two rows are of one object: a row that the silent change inserts replaces the reported one.
  /// - Returns: the rows to compute the next report from.
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
  /// The reported row of the same object for each of the former rows, and whether it has stayed where it was.
  private let reported: [Int32]
  private let isKeptInFormer: [Bool]
  /// The former row for each row.
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

  /// A row between two whose places in the observer's copy are certain.
  private enum Item {
    /// A row of the silent change, or one that was changed since it was reported.
    case known(row: Int, stamp: UInt64)
    /// A reported row that was deleted or moved since.
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
      // Inserted by the silent change.
      guard former >= 0 else {
        // An item that replaces a row keeps that row's stamp: the observer may have a newer state of the
        // object than the one reported.
        let stamp = replaced[index].map { base.stamps[$0] } ?? rows.stamps[index]
        items.append(.known(row: index, stamp: stamp))
        continue
      }
      let place = Int(reported[former])
      // Inserted by a change that is not reported yet.
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

  /// The observer's places of its own rows among deleted ones are not known. When it removes the deleted ones
  /// by their places, it may remove others, so that all rows here are reported as modified.
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

  /// A stamp that differs from this one. Several calls return several stamps.
  private static func modified(_ stamp: UInt64) -> UInt64 { stamp &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// The reported rows that the observer's change has removed, moved or replaced, and the last ones by the
  /// rows that replace them.
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

  /// The stamp of a row; one that another write has changed stays to be reported.
  private func stamp(of row: Int, _ former: Int, _ place: Int) -> UInt64 {
    base.stamps[place] == self.former.stamps[former] ? rows.stamps[row] : base.stamps[place]
  }
}
