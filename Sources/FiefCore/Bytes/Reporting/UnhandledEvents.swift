import LMDB

/// The failures that no event handler receives. The first failure of each location and kind is reported on
/// standard error, and then the 10th, the 100th and the 1,000th.
final class UnhandledEvents: Sendable {
  static let shared = UnhandledEvents { StandardError.write($0) }

  private let tally = OwnedLock(EventTally())
  private let write: @Sendable (String) -> Bool

  /// - Parameter write: writes a text and returns whether it was written.
  init(write: @escaping @Sendable (String) -> Bool) { self.write = write }

  /// Writes an event to standard error, unless the same event was written before. The lock is not held while
  /// the event is written.
  func tell(_ event: StoreEvent) {
    let place = EventPlace(event)
    let turn = tally.withLock { $0.count(place) }
    switch turn {
    case .quiet: return
    case .tell(let count):
      if !write(EventText(event).lines(count: count)) { tally.withLock { $0.undo(place) } }
    case .tellOthers(let count):
      _ = write("fief: \(count) further failures elsewhere; see StoreOptions.eventHandler\n")
    }
  }
}

/// The numbers of events by location and kind, in bounded memory.
struct EventTally {
  /// What to do with an event.
  enum Turn: Equatable {
    /// The same event was written before.
    case quiet
    /// The event is written, with the number of times that it has happened.
    case tell(Int)
    /// There are too many locations to count each. This many events occurred in other locations.
    case tellOthers(Int)
  }

  /// The maximum number of locations that are counted separately.
  static let limit = 256

  private var counts: [EventPlace: Int] = [:]
  private var others = 0

  /// Counts an event and returns what to do with it.
  mutating func count(_ place: EventPlace) -> Turn {
    if let count = counts[place] {
      counts[place] = count &+ 1
      return Self.isTold(count &+ 1) ? .tell(count &+ 1) : .quiet
    }
    if counts.count < Self.limit {
      counts[place] = 1
      return .tell(1)
    }
    others &+= 1
    return Self.isTold(others) ? .tellOthers(others) : .quiet
  }

  /// Discards the count of a location whose first event could not be written, so that the next event is
  /// written instead.
  mutating func undo(_ place: EventPlace) { if counts[place] == 1 { counts[place] = nil } }

  /// Whether a number is a power of ten.
  private static func isTold(_ count: Int) -> Bool {
    var power = 1
    while power < count, power < 1_000_000_000 { power *= 10 }
    return power == count
  }
}
