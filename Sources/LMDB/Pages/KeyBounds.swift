/// The first eight bytes of the keys between which the keys of a page lie, as the pages above contain them.
///
/// They allow an estimate of a key's position if keys are distributed evenly, as sequential numbers are. The
/// estimate saves cache misses, because each node that a search reads is likely in a cache line that is not
/// cached.
struct KeyBounds {
  /// The first bytes of the smallest key.
  var low: UInt64 = 0
  /// The first bytes of the first key after the page, or 0 if it is unknown.
  var high: UInt64 = 0

  /// Returns the estimated position of a key among `count` keys, or a negative number if no estimate is
  /// possible.
  @inline(__always)
  func place(of key: UInt64, among count: Int) -> Int {
    guard low < high, low <= key, key <= high else { return -1 }
    // The small addend compensates for quotients that are rounded down.
    let part = Double(key &- low) / Double(high &- low) * Double(count) + 0.001
    return min(Int(part), count &- 1)
  }
}
