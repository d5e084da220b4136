extension CollectionDiff {
  /// Brings rows that were reported to where some of them are now, of which nothing is to be reported.
  ///
  /// A silent row that is gone leaves them; one that is there follows the row that it follows now, as it is now.
  ///
  /// - Parameters:
  ///   - base: what was reported.
  ///   - rows: what is.
  ///   - silent: the keys of the objects whose changes the listener knows of.
  /// - Returns: the base from which the changes of all others are to be told.
  static func silencing(
    _ base: ObservedRows,
    to rows: ObservedRows,
    _ silent: Set<ObjectKey>
  ) -> ObservedRows {
    if silent.isEmpty || isOnly(silent, changes(from: base, to: rows), base, rows) { return rows }
    let old = kept(base, silent)
    let all = RowBuffer(rows.runs[...])
    let isSilent = marks(all, silent)
    let new = kept(rows, silent)
    var partners = old.withView { old in
      new.withView { RowPartners.partners(of: $0, 0..<$0.count, among: old, 0..<old.count) }
    }
    IncreasingSubsequence.keep(in: &partners)
    var builder = ObservedRowsBuilder(like: rows)
    var next = 0
    func appendOld(before end: Int) {
      while next < end {
        old.withKey(at: next) { builder.append($0, stamp: old.stamps[next]) }
        next += 1
      }
    }
    var place = 0
    for index in 0..<all.count {
      if isSilent[index] {
        all.withKey(at: index) { builder.append($0, stamp: all.stamps[index]) }
        continue
      }
      let partner = Int(partners[place])
      place += 1
      if partner >= 0 { appendOld(before: partner + 1) }
    }
    appendOld(before: old.count)
    return builder.finish()
  }

  /// Whether nothing but silent rows has changed.
  private static func isOnly(
    _ silent: Set<ObjectKey>,
    _ changes: CollectionChanges,
    _ base: ObservedRows,
    _ rows: ObservedRows
  ) -> Bool {
    func isSilent(_ index: Int, _ rows: ObservedRows) -> Bool {
      rows.key(at: index).map(silent.contains) ?? false
    }
    return changes.deletions.allSatisfy { isSilent($0, base) }
      && changes.insertions.allSatisfy { isSilent($0, rows) }
      && changes.modifications.allSatisfy { isSilent($0, rows) }
  }

  /// The rows that are not silent.
  private static func kept(_ rows: ObservedRows, _ silent: Set<ObjectKey>) -> RowBuffer {
    let all = RowBuffer(rows.runs[...])
    let isSilent = marks(all, silent)
    var kept = RowBuffer()
    for index in 0..<all.count where !isSilent[index] {
      all.withKey(at: index) { kept.append($0, hash: all.hashes[index], stamp: all.stamps[index]) }
    }
    return kept
  }

  /// Which rows are silent.
  private static func marks(_ rows: RowBuffer, _ silent: Set<ObjectKey>) -> [Bool] {
    var hashes: Set<UInt32> = []
    for key in silent { key.bytes.withUnsafeBytes { _ = hashes.insert(RowRun.hash($0)) } }
    return (0..<rows.count).map { index in
      hashes.contains(rows.hashes[index])
        && rows.withKey(at: index) { silent.contains(ObjectKey($0)) }
    }
  }
}
