/// The values of one column that a condition allows, as ranges of key elements.
///
/// Conditions on one column become sets of bytes. `and`, `or` and `not` become intersection, union and
/// complement, which need not distinguish types, nil and NaN.
struct ElementSet {
  /// A range of elements, or a single element.
  struct Part {
    var range: ByteRange
    /// Whether the part consists of all keys that begin with one whole element.
    var isPoint: Bool
  }

  /// The parts, in order and without overlaps.
  private(set) var parts: [Part]
  /// Whether all values in the set meet the condition. Otherwise the set may contain other values too.
  private(set) var isExact: Bool

  static let all = ElementSet(parts: [Part(range: .all, isPoint: false)], isExact: true)
  static let none = ElementSet(parts: [], isExact: true)

  init(parts: [Part], isExact: Bool) {
    self.parts = parts
    self.isExact = isExact
  }

  init(_ range: ByteRange, isExact: Bool = true) {
    parts = range.isEmpty ? [] : [Part(range: range, isPoint: false)]
    self.isExact = isExact
  }

  init(point element: [UInt8]) {
    parts = [Part(range: ByteRange(prefix: element), isPoint: true)]
    isExact = true
  }

  /// Whether the set consists of single values.
  var isPoints: Bool { parts.allSatisfy(\.isPoint) }
  var isEverything: Bool { parts.count == 1 && parts[0].range == .all }

  func inexact() -> ElementSet { ElementSet(parts: parts, isExact: false) }

  func intersection(_ other: ElementSet) -> ElementSet {
    var result: [Part] = []
    var (first, second) = (0, 0)
    while first < parts.count, second < other.parts.count {
      let (one, two) = (parts[first], other.parts[second])
      // No bound of a range lies inside an element, so a point that intersects a range remains a whole point.
      if let both = one.range.intersection(two.range) {
        result.append(Part(range: both, isPoint: one.isPoint || two.isPoint))
      }
      if two.range.endsAfter(one.range) { first += 1 } else { second += 1 }
    }
    return ElementSet(parts: result, isExact: isExact && other.isExact)
  }

  func union(_ other: ElementSet) -> ElementSet { ElementSet.union([self, other]) }

  static func union(_ sets: [ElementSet]) -> ElementSet {
    var all = sets.flatMap(\.parts)
    all.sort { $0.range.lower.lexicographicallyPrecedes($1.range.lower) }
    var result: [Part] = []
    for part in all {
      guard let last = result.last, let end = last.range.upper else {
        // Nothing comes after a range without an upper bound.
        if result.isEmpty { result.append(part) }
        continue
      }
      if !part.range.lower.lexicographicallyPrecedes(end) {
        result.append(part)
      } else if part.range.endsAfter(last.range) {
        result[result.count - 1] = Part(
          range: ByteRange(lower: last.range.lower, upper: part.range.upper),
          isPoint: false
        )
      }
    }
    return ElementSet(parts: result, isExact: sets.allSatisfy(\.isExact))
  }

  /// Returns the values that do not meet the condition, or `nil` if the set is not exact.
  func complement() -> ElementSet? {
    guard isExact else { return nil }
    var result: [Part] = []
    var lower: [UInt8]? = []
    for part in parts {
      if let start = lower {
        let gap = ByteRange(lower: start, upper: part.range.lower)
        if !gap.isEmpty { result.append(Part(range: gap, isPoint: false)) }
      }
      lower = part.range.upper
    }
    if let lower { result.append(Part(range: ByteRange(lower: lower, upper: nil), isPoint: false)) }
    return ElementSet(parts: result, isExact: true)
  }
}
