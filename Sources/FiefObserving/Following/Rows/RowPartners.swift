/// Finds, for each row, the row of the same object among other rows. Each of the other rows is used at most
/// once.
struct RowPartners {
  private static let free: Int32 = -1
  /// Marks a slot whose rows all have partners. Occupied slots may follow.
  private static let taken: Int32 = -2

  private let rows: RowView
  /// A hash table: the index of each object's first row without a partner.
  private var places: [Int32]
  /// The next row of the same object for each row. Empty if no object has several rows.
  private var followers: [Int32] = []
  private let start: Int

  private init(_ rows: RowView, _ range: Range<Int>) {
    self.rows = rows
    start = range.lowerBound
    var capacity = 16
    while capacity < range.count * 2 { capacity *= 2 }
    places = Array(repeating: Self.free, count: capacity)
    let mask = capacity - 1
    for index in range.reversed() {
      var place = Int(rows.hashes[index]) & mask
      while places[place] != Self.free {
        let other = Int(places[place])
        if rows.isSame(index, as: rows, other) {
          if followers.isEmpty { followers = Array(repeating: Self.free, count: range.count) }
          followers[index - start] = Int32(truncatingIfNeeded: other)
          break
        }
        place = (place + 1) & mask
      }
      places[place] = Int32(truncatingIfNeeded: index)
    }
  }

  /// Returns the index of each row's partner among other rows, or -1 if it has none.
  static func partners(
    of rows: RowView,
    _ range: Range<Int>,
    among others: RowView,
    _ otherRange: Range<Int>
  ) -> [Int32] {
    var others = RowPartners(others, otherRange)
    return range.map { others.take(rows, $0) }
  }

  private mutating func take(_ others: RowView, _ index: Int) -> Int32 {
    let mask = places.count - 1
    var place = Int(others.hashes[index]) & mask
    while places[place] != Self.free {
      let found = places[place]
      if found >= 0, rows.isSame(Int(found), as: others, index) {
        let follower = followers.isEmpty ? Self.free : followers[Int(found) - start]
        places[place] = follower == Self.free ? Self.taken : follower
        return found
      }
      place = (place + 1) & mask
    }
    return -1
  }
}
