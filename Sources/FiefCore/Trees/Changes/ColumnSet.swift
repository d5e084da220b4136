/// A set of column numbers.
///
/// Nearly all types have fewer than 64 columns, so the set fits in one word. Larger numbers are kept in an
/// array.
package struct ColumnSet: Sendable, Hashable {
  /// Every column, including columns that a later schema adds.
  package static let all = ColumnSet(isAll: true)

  /// Whether the set contains every column. Its other parts are then empty, so equal sets have equal parts.
  package let isAll: Bool
  private var word: UInt64 = 0
  /// The numbers from 64 on, in ascending order.
  private var others: [UInt16] = []

  package init() { isAll = false }

  package init(_ ids: some Sequence<UInt16>) {
    isAll = false
    for id in ids { insert(id) }
  }

  /// Creates a set of the columns whose bits are set in `word`.
  init(word: UInt64) {
    isAll = false
    self.word = word
  }

  private init(isAll: Bool) { self.isAll = isAll }

  /// The bits of the columns, if all columns are below 64; `nil` otherwise.
  var onlyWord: UInt64? { isAll || !others.isEmpty ? nil : word }

  package var isEmpty: Bool { !isAll && word == 0 && others.isEmpty }

  /// The numbers in ascending order. Empty for ``all``, which has no last column.
  package var ids: [UInt16] {
    var ids: [UInt16] = []
    var rest = word
    while rest != 0 {
      ids.append(UInt16(truncatingIfNeeded: rest.trailingZeroBitCount))
      rest &= rest &- 1
    }
    return ids + others
  }

  package func contains(_ id: UInt16) -> Bool {
    if isAll { return true }
    if id < 64 { return word & (1 << UInt64(id)) != 0 }
    return others.contains(id)
  }

  package mutating func insert(_ id: UInt16) {
    if isAll { return }
    if id < 64 {
      word |= 1 << UInt64(id)
    } else if !others.contains(id) {
      others.insert(id, at: others.firstIndex { $0 > id } ?? others.count)
    }
  }

  package mutating func formUnion(_ other: ColumnSet) {
    if isAll { return }
    if other.isAll { return self = .all }
    word |= other.word
    for id in other.others { insert(id) }
  }

  /// Whether the sets have no column in common. An empty set is disjoint with every set.
  package func isDisjoint(with other: ColumnSet) -> Bool {
    if isAll { return other.isEmpty }
    if other.isAll { return isEmpty }
    if word & other.word != 0 { return false }
    return others.isEmpty || !others.contains { other.others.contains($0) }
  }
}
