import LMDB

/// The records of one page, and the selection that a query has made so far.
///
/// Each condition is applied to the whole block before the next condition, so that its state stays in
/// registers and no call is needed for each record.
// SAFETY: `places` has room for an index of every entry of `run`. Its first `count` values are such indexes,
// unless all entries are selected.
struct RowBlock: ~Copyable {
  let table: Table
  /// The entries of the page.
  private(set) var run = LeafRun.none
  /// The number of selected rows.
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

  /// Starts with the entries of a page, all of them selected. A page has fewer than 65,536 entries.
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

  /// The index in the run of a selected record.
  @inline(__always)
  subscript(index: Int) -> Int { isWhole ? index : Int(places[index]) }

  /// Keeps the records for which `holds` returns true. The argument is the record's index in the run.
  @inline(__always)
  mutating func keep(_ holds: (Int) throws -> Bool) rethrows {
    var kept = 0
    if isWhole {
      for place in 0..<count {
        // The loop is branchless because the result of each test is unpredictable.
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

  /// Keeps the records whose integer is inside or outside a range.
  ///
  /// - Parameter holds: decides whether to keep a record that the reader does not support. The argument is
  ///   the record's index.
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

  /// Returns the row at an index of the run, or `nil` if the condition does not hold for it or the record is
  /// damaged.
  @inline(__always)
  func row(_ place: Int, in environment: QueryEnvironment, if condition: RowCondition?) throws -> QueryRow? {
    try environment.row(of: table, key: run.key(place), record: run.value(place), if: condition)
  }
}

/// A sum of integers in 128 bits, which cannot overflow in any order of addition.
struct IntegerSum {
  private var low: UInt64 = 0
  private var high: Int64 = 0
  /// The number of integers added.
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
