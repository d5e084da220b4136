/// The pairs of corresponding embedded objects in a list: the instance that was read before and the instance
/// that was read now.
struct EmbeddedPairs {
  /// The indices of the same object in the former list and in the present list.
  private(set) var pairs: [(former: Int, present: Int)] = []

  /// - Parameter isSame: whether nothing was changed between the two reads.
  init(_ former: [EmbeddedObject], _ present: [EmbeddedObject], isSame: Bool) {
    let shorter = 0..<min(former.count, present.count)
    if isSame {
      pairs = shorter.map { ($0, $0) }
      return
    }
    // Embedded objects have no keys. Equal objects are paired first, then objects at the same index.
    var rest: [ObjectText: [Int]] = [:]
    for (place, object) in present.enumerated().reversed() {
      rest[object.comparableText(), default: []].append(place)
    }
    var unmatched: [Int] = []
    for (place, object) in former.enumerated() {
      let text = object.comparableText()
      guard let places = rest[text], !places.isEmpty else {
        unmatched.append(place)
        continue
      }
      let index = places.lastIndex(of: place) ?? places.count - 1
      pairs.append((place, places[index]))
      rest[text]?.remove(at: index)
    }
    guard former.count == present.count else { return }
    let taken = Set(pairs.map(\.present))
    for place in unmatched where !taken.contains(place) { pairs.append((place, place)) }
  }
}
