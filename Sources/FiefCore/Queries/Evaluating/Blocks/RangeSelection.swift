import LMDB

/// The integers inside, or outside, of a range.
struct IntegerRange: Sendable {
  private let lower: Int64
  private let span: UInt64
  let isInside: Bool

  init(_ range: ClosedRange<Int64>, isInside: Bool) {
    lower = range.lowerBound
    span = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    self.isInside = isInside
  }

  @inline(__always)
  func holds(_ value: Int64) -> Bool { (UInt64(bitPattern: value &- lower) <= span) == isInside }
}

/// A comparison's progress along the records of a block.
// SAFETY: `places` has room for every entry of the run, and its first `count` are places of it, unless all
// are compared; no more of them are kept than were compared.
struct RangeSelection {
  private let run: LeafRun
  private let places: UnsafeMutablePointer<UInt16>
  private let isWhole: Bool
  private let count: Int
  /// The record to compare next.
  private(set) var next = 0
  /// The number of rows that were kept.
  private(set) var kept = 0

  init(run: LeafRun, places: UnsafeMutablePointer<UInt16>, isWhole: Bool, count: Int) {
    self.run = run
    self.places = places
    self.isWhole = isWhole
    self.count = count
  }

  /// The place in the run of the next record.
  var place: Int { isWhole ? next : Int(places[next]) }

  /// Goes on behind the next record, which is kept or not.
  mutating func take(_ isKept: Bool) {
    places[kept] = UInt16(truncatingIfNeeded: place)
    kept &+= isKept ? 1 : 0
    next &+= 1
  }

  /// Goes on to the end, or to a record that the reader cannot read.
  ///
  /// The function has only this loop and calls nothing, so that all that it needs stays in registers.
  @inline(never)
  mutating func goOn(_ range: IntegerRange, _ reader: IntegerReader) {
    var (next, kept) = (next, kept)
    defer { (self.next, self.kept) = (next, kept) }
    if isWhole {
      while next < count {
        guard let holds = reader.compare(run.value(next), range) else { return }
        // The loop has no branch, since whether a record is wanted cannot be predicted.
        places[kept] = UInt16(truncatingIfNeeded: next)
        kept &+= holds ? 1 : 0
        next &+= 1
      }
    } else {
      while next < count {
        let place = places[next]
        guard let holds = reader.compare(run.value(Int(place)), range) else { return }
        places[kept] = place
        kept &+= holds ? 1 : 0
        next &+= 1
      }
    }
  }
}
