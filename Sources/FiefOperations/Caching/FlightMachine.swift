import FiefCore

/// The identity of what is fetched: an object of an open store.
struct FlightKey: Hashable, Sendable {
  /// The number of the open store.
  let store: UInt64
  /// The number of the type.
  let type: UInt32
  let key: ObjectKey
}

/// Decides which calls share a fetch: a state machine without locks and tasks.
///
/// A fetch that is going on is a *flight*. The calls for one key share it, whenever they come; the first one starts it.
/// A call that is cancelled leaves; when all have left, the flight is cancelled, and the next call starts another.
/// One that nothing waits for, since it refreshes behind a call, is held until it lands.
struct FlightMachine {
  typealias Flight = UInt64
  typealias Waiter = UInt64

  private struct State {
    let key: FlightKey
    var waiters: [Waiter] = []
    var isHeld = false
    /// Whether its object was invalidated after the fetch had begun.
    var isOutdated = false
  }

  private var flights: [Flight: State] = [:]
  private var current: [FlightKey: Flight] = [:]
  private var places: [Waiter: Flight] = [:]
  /// The flights whose fetches wait, by the numbers of their calls.
  private var origins: [Waiter: Flight] = [:]
  private var last: Flight = 0

  /// Whether nothing is fetched.
  var isEmpty: Bool { flights.isEmpty && current.isEmpty && places.isEmpty && origins.isEmpty }

  /// The number of calls that wait for fetches of a store.
  func waiting(for store: UInt64) -> Int {
    flights.values.reduce(0) { $0 + ($1.key.store == store ? $1.waiters.count : 0) }
  }

  /// Adds a call for a key.
  ///
  /// - Parameters:
  ///   - waiter: the number of the call; nil for a refresh that no call waits for.
  ///   - origin: the flight whose fetch makes the call; nil for another call.
  /// - Returns: the flight to start; nil where there is one already.
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

  /// The keys of the fetches that would wait for each other if the fetch of a flight waited for a key, that key first; nil if
  /// none would wait for itself.
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

  /// Notes that what is being fetched for a key may be older than the caller knows.
  mutating func invalidate(_ key: FlightKey) {
    if let flight = current[key] { flights[flight]?.isOutdated = true }
  }

  /// Whether the object of a flight was invalidated after its fetch had begun; once for each time.
  mutating func takeOutdated(_ flight: Flight) -> Bool {
    defer { flights[flight]?.isOutdated = false }
    return flights[flight]?.isOutdated ?? false
  }

  /// The outcome of ``leave(_:)``.
  enum Leaving: Equatable {
    /// The call has its result already.
    case tooLate
    case left
    /// It was the last one: the flight is to be cancelled.
    case cancels(Flight)
  }

  /// Removes a call that was cancelled.
  mutating func leave(_ waiter: Waiter) -> Leaving {
    guard let flight = places.removeValue(forKey: waiter) else { return .tooLate }
    origins[waiter] = nil
    flights[flight]?.waiters.removeAll { $0 == waiter }
    guard let state = flights[flight], state.waiters.isEmpty, !state.isHeld else { return .left }
    remove(flight)
    return .cancels(flight)
  }

  /// Ends a flight.
  ///
  /// - Returns: the calls that get its result; none for one that was cancelled.
  mutating func land(_ flight: Flight) -> [Waiter] {
    let waiters = flights[flight]?.waiters ?? []
    remove(flight)
    for waiter in waiters {
      places[waiter] = nil
      origins[waiter] = nil
    }
    return waiters
  }

  /// Whether a flight has neither landed nor been cancelled.
  func isOnItsWay(_ flight: Flight) -> Bool { flights[flight] != nil }

  private mutating func remove(_ flight: Flight) {
    guard let state = flights.removeValue(forKey: flight) else { return }
    if current[state.key] == flight { current[state.key] = nil }
  }
}
