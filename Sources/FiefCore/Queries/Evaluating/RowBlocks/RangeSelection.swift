import LMDB

/// The integers inside or outside a range.
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

/// The progress of a comparison with the records of a block.
// SAFETY: `places` has room for an index of every entry of the run. Its first `count` values are such
// indexes, unless all records are compared. At most as many are kept as were compared.
struct RangeSelection {
  private let run: LeafRun
  private let places: UnsafeMutablePointer<UInt16>
  private let isWhole: Bool
  private let count: Int
  /// The next record to compare.
  private(set) var next = 0
  /// The number of rows kept so far.
  private(set) var kept = 0

  init(run: LeafRun, places: UnsafeMutablePointer<UInt16>, isWhole: Bool, count: Int) {
    self.run = run
    self.places = places
    self.isWhole = isWhole
    self.count = count
  }

  /// The index of the next record in the run.
  var place: Int { isWhole ? next : Int(places[next]) }

  /// Records whether the next record is kept, and advances.
  mutating func take(_ isKept: Bool) {
    places[kept] = UInt16(truncatingIfNeeded: place)
    kept &+= isKept ? 1 : 0
    next &+= 1
  }

  /// Advances to the end, or to the next record that the reader does not support.
  ///
  /// The function consists only of this loop and calls no function, so its state stays in registers.
  @inline(never)
  mutating func goOn(_ range: IntegerRange, _ reader: IntegerReader) {
    var (next, kept) = (next, kept)
    defer { (self.next, self.kept) = (next, kept) }
    if isWhole {
      while next < count {
        guard let holds = reader.compare(run.value(next), range) else { return }
        // The loop is branchless because the result of each comparison is unpredictable.
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
