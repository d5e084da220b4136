import LMDB

/// The records of one page, and which of them a query still wants.
///
/// Conditions go along a block one after another, so that their state stays in registers for many records,
/// without a call for each of them.
// SAFETY: `places` has room for every entry of `run`, and its first `count` are places of the run, unless all
// are wanted.
struct RowBlock: ~Copyable {
  let table: Table
  /// The entries of the page.
  private(set) var run = LeafRun.none
  /// The number of rows that are wanted.
  private(set) var count = 0
  private var isWhole = true
  private var places: UnsafeMutablePointer<UInt16>
  private var room: Int

  init(of table: Table) {
    self.table = table
    room = 256
    places = .allocate(capacity: room)
  }

  deinit { places.deallocate() }

  /// Begins with the entries of a page, all of which are wanted; a page has fewer than 65,536.
  @inline(__always)
  mutating func take(_ run: LeafRun) {
    self.run = run
    count = run.count
    isWhole = true
    if count > room { grow() }
  }

  @inline(never)
  private mutating func grow() {
    places.deallocate()
    room = count
    places = .allocate(capacity: room)
  }

  /// The place in the run of one of the wanted records.
  @inline(__always)
  subscript(index: Int) -> Int { isWhole ? index : Int(places[index]) }

  /// Keeps the records for which `holds` is true; it is called with their places in the run.
  @inline(__always)
  mutating func keep(_ holds: (Int) throws -> Bool) rethrows {
    var kept = 0
    if isWhole {
      for place in 0..<count {
        // The loop has no branch, since whether a record is wanted cannot be predicted.
        places[kept] = UInt16(truncatingIfNeeded: place)
        kept &+= try holds(place) ? 1 : 0
      }
    } else {
      for index in 0..<count {
        let place = places[index]
        places[kept] = place
        kept &+= try holds(Int(place)) ? 1 : 0
      }
    }
    isWhole = false
    count = kept
  }

  /// Keeps the records whose integer is inside, or outside, of a range.
  ///
  /// - Parameter holds: whether a record is kept that the reader cannot read; it is called with its place.
  mutating func keep(
    _ range: IntegerRange,
    _ reader: IntegerReader,
    otherwise holds: (Int) throws -> Bool
  ) rethrows {
    var selection = RangeSelection(run: run, places: places, isWhole: isWhole, count: count)
    while selection.next < count {
      selection.goOn(range, reader)
      guard selection.next < count else { break }
      try selection.take(holds(selection.place))
    }
    isWhole = false
    count = selection.kept
  }

  /// The row at a place of the run, nil where a condition does not hold for it or the record is damaged.
  @inline(__always)
  func row(_ place: Int, in environment: QueryEnvironment, if condition: RowCondition?) throws -> QueryRow? {
    try environment.row(of: table, key: run.key(place), record: run.value(place), if: condition)
  }
}

/// Integers that are added up, in 128 bits, so that no order of them overflows.
struct IntegerSum {
  private var low: UInt64 = 0
  private var high: Int64 = 0
  /// The number of integers that were added.
  private(set) var count = 0

  @inline(__always)
  mutating func add(_ value: Int64) {
    let (sum, isCarried) = low.addingReportingOverflow(UInt64(bitPattern: value))
    low = sum
    high &+= (value &>> 63) &+ (isCarried ? 1 : 0)
    count &+= 1
  }

  var total: Int128 { Int128(high) << 64 | Int128(low) }
}
