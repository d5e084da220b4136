import FiefCore

extension CollectionDiff {
  /// Applies a silent change to the reported rows, so that later differences do not contain it.
  ///
  /// The changes between the reported rows and `former` remain to be reported: rows that were deleted there
  /// stay in the result, and rows that were inserted there are left out. If an object has several rows, they
  /// correspond in their order.
  ///
  /// - Parameters:
  ///   - reported: the rows of the last report.
  ///   - former: the rows before the silent change.
  ///   - rows: the rows after the silent change.
  ///   - isUnique: whether every object has at most one row. A row that the silent change inserts then
  ///     replaces the reported row of the same object.
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
        all.withView { ChangeTransfer(base: base, former: between, rows: $0, isUnique).put(into: &builder) }
      }
    }
    return builder.finish()
  }
}

/// Transfers a change between two later states of rows to an earlier state.
private struct ChangeTransfer {
  let base: RowView
  let former: RowView
  let rows: RowView
  /// For each former row, the index of the object's reported row.
  private let reported: [Int32]
  private let isKeptInFormer: [Bool]
  /// For each row, the index of the corresponding former row.
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

  /// A row between two rows whose positions in the observer's copy are certain.
  private enum Item {
    /// A row that the silent change inserted or moved, or a row that was changed since its report.
    case known(row: Int, stamp: UInt64)
    /// A reported row that was deleted or moved since the report.
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
      // The row was inserted by the silent change.
      guard former >= 0 else {
        // A row that replaces a reported one keeps the reported stamp, because the observer's copy may
        // already have a newer state of the object.
        let stamp = replaced[index].map { base.stamps[$0] } ?? rows.stamps[index]
        items.append(.known(row: index, stamp: stamp))
        continue
      }
      let place = Int(reported[former])
      // The row was inserted by a change that was not reported yet.
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

  /// It is unknown where the observer has put its own rows among deleted ones. When the observer removes the
  /// deleted rows by index, it may remove wrong rows. Therefore all rows here are reported as modified.
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

  /// Returns a stamp that differs from the given one. Repeated application yields further different stamps.
  private static func modified(_ stamp: UInt64) -> UInt64 { stamp &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  /// Returns which reported rows the observer's change has removed, moved or replaced, and maps each
  /// replacing row to the reported row it replaces.
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

  /// Returns the stamp of a row. If another write has changed the row, the reported stamp stays, so that the
  /// change is still reported.
  private func stamp(of row: Int, _ former: Int, _ place: Int) -> UInt64 {
    base.stamps[place] == self.former.stamps[former] ? rows.stamps[row] : base.stamps[place]
  }
}
