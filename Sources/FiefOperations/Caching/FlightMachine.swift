import FiefCore

/// The identity of a fetched object: its type and key in an open store.
struct FlightKey: Hashable, Sendable {
  /// The process-wide number of the open store.
  let store: UInt64
  /// The id of the type.
  let type: UInt32
  let key: ObjectKey
}

/// Determines which calls share a fetch: a state machine without locks and tasks.
///
/// A fetch in progress is a *flight*. All calls for a key share its flight, whenever they arrive; the first
/// call starts it. A cancelled call leaves. When all calls have left, the flight is cancelled, and the next
/// call starts a new one. A flight that refreshes in the background, without a waiting call, is held until it
/// ends.
struct FlightMachine {
  typealias Flight = UInt64
  typealias Waiter = UInt64

  private struct State {
    let key: FlightKey
    var waiters: [Waiter] = []
    var isHeld = false
    /// Whether the object was invalidated after its fetch had begun.
    var isOutdated = false
  }

  private var flights: [Flight: State] = [:]
  private var current: [FlightKey: Flight] = [:]
  private var places: [Waiter: Flight] = [:]
  /// The flights whose fetches make calls themselves, by the numbers of these calls.
  private var origins: [Waiter: Flight] = [:]
  private var last: Flight = 0

  /// Whether no fetch is in progress.
  var isEmpty: Bool { flights.isEmpty && current.isEmpty && places.isEmpty && origins.isEmpty }

  /// Returns the number of calls that wait for fetches of a store.
  func waiting(for store: UInt64) -> Int {
    flights.values.reduce(0) { $0 + ($1.key.store == store ? $1.waiters.count : 0) }
  }

  /// Adds a call for a key.
  ///
  /// - Parameters:
  ///   - waiter: the number of the call, or `nil` for a background refresh.
  ///   - origin: the flight whose fetch makes the call, or `nil` if no fetch makes it.
  /// - Returns: the flight to start, or `nil` if a flight for the key is already in progress.
  mutating func join(_ key: FlightKey, _ waiter: Waiter?, in origin: Flight? = nil) -> Flight? {
    let known = current[key]
    let flight = known ?? last + 1
    if known == nil {
      last = flight
      current[key] = flight
      flights[flight] = State(key: key)
    }
    if let waiter {
      flights[flight]?.waiters.append(waiter)
      places[waiter] = flight
      origins[waiter] = origin
    } else {
      flights[flight]?.isHeld = true
    }
    return known == nil ? flight : nil
  }

  /// Returns the keys of the fetches that would wait for each other if the fetch of a flight waited for a
  /// key, beginning with that key. Returns `nil` if there would be no cycle.
  func cycle(_ key: FlightKey, in origin: Flight) -> [FlightKey]? {
    guard let first = current[key] else { return nil }
    var paths = [[first]]
    var seen: Set<Flight> = []
    while let path = paths.popLast() {
      guard let last = path.last, seen.insert(last).inserted else { continue }
      if last == origin { return path.compactMap { flights[$0]?.key } }
      for (waiter, flight) in origins where flight == last {
        if let next = places[waiter] { paths.append(path + [next]) }
      }
    }
    return nil
  }

  /// Records that the object being fetched for a key may be older than the caller's information.
  mutating func invalidate(_ key: FlightKey) {
    if let flight = current[key] { flights[flight]?.isOutdated = true }
  }

  /// Returns whether the object of a flight was invalidated after its fetch had begun, and resets the flag.
  mutating func takeOutdated(_ flight: Flight) -> Bool {
    defer { flights[flight]?.isOutdated = false }
    return flights[flight]?.isOutdated ?? false
  }

  /// The result of ``leave(_:)``.
  enum LeaveOutcome: Equatable {
    /// The call already has its result.
    case tooLate
    case left
    /// It was the last call, so the flight must be cancelled.
    case cancels(Flight)
  }

  /// Removes a cancelled call.
  mutating func leave(_ waiter: Waiter) -> LeaveOutcome {
    guard let flight = places.removeValue(forKey: waiter) else { return .tooLate }
    origins[waiter] = nil
    flights[flight]?.waiters.removeAll { $0 == waiter }
    guard let state = flights[flight], state.waiters.isEmpty, !state.isHeld else { return .left }
    remove(flight)
    return .cancels(flight)
  }

  /// Ends a flight.
  ///
  /// - Returns: the calls that receive its result, or none if the flight was cancelled.
  mutating func land(_ flight: Flight) -> [Waiter] {
    let waiters = flights[flight]?.waiters ?? []
    remove(flight)
    for waiter in waiters {
      places[waiter] = nil
      origins[waiter] = nil
    }
    return waiters
  }

  /// Whether a flight is still in progress.
  func isOnItsWay(_ flight: Flight) -> Bool { flights[flight] != nil }

  private mutating func remove(_ flight: Flight) {
    guard let state = flights.removeValue(forKey: flight) else { return }
    if current[state.key] == flight { current[state.key] = nil }
  }
}
