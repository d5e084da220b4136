/// The keys that bound those of a page: the first eight bytes of them, as the pages above have them.
///
/// They give an estimate of a key's place where keys are spread evenly, as numbers that were counted up are: each node
/// that a search reads is a line of memory that is likely not in a cache.
struct KeyBounds {
  /// The first bytes of the least key.
  var low: UInt64 = 0
  /// The first bytes of the first key behind; 0 where it is not known.
  var high: UInt64 = 0

  /// The place of a key among so many; negative where nothing is known.
  @inline(__always)
  func place(of key: UInt64, among count: Int) -> Int {
    guard low < high, low <= key, key <= high else { return -1 }
    // The small addend is for quotients that are rounded down.
    let part = Double(key &- low) / Double(high &- low) * Double(count) + 0.001
    return min(Int(part), count &- 1)
  }
}
