import LMDB

/// The failures that no event handler gets: each place and kind is reported once, on standard error, and
/// again when it has happened 10, 100, 1,000 times.
final class UnhandledEvents: Sendable {
  static let shared = UnhandledEvents { StandardError.write($0) }

  private let tally = OwnedLock(EventTally())
  private let write: @Sendable (String) -> Bool

  /// - Parameter write: writes a text, and says whether it did.
  init(write: @escaping @Sendable (String) -> Bool) { self.write = write }

  /// Writes an event to standard error, unless its place was written before. Nothing is written inside of the lock.
  func tell(_ event: StoreEvent) {
    let place = EventPlace(event)
    let turn = tally.withLock { $0.count(place) }
    switch turn {
    case .quiet: return
    case .tell(let count):
      if !write(EventText(event).lines(count: count)) { tally.withLock { $0.undo(place) } }
    case .tellOthers(let count):
      _ = write("fief: \(count) further failures in other places; see StoreOptions.eventHandler\n")
    }
  }
}

/// The numbers of occurrences of events by place and kind, in bounded memory.
struct EventTally {
  /// The treatment of an event.
  enum Turn: Equatable {
    /// The same event was written before.
    case quiet
    /// The event is written, with how often it has happened.
    case tell(Int)
    /// There are too many places to count each; this many events were in others.
    case tellOthers(Int)
  }

  /// The greatest number of places that are counted by themselves.
  static let limit = 256

  private var counts: [EventPlace: Int] = [:]
  private var others = 0

  /// Counts an event in a place.
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

  /// Lets the first event of a place be written later, since it could not be written.
  mutating func undo(_ place: EventPlace) { if counts[place] == 1 { counts[place] = nil } }

  /// Whether a number is a power of ten.
  private static func isTold(_ count: Int) -> Bool {
    var power = 1
    while power < count, power < 1_000_000_000 { power *= 10 }
    return power == count
  }
}
