/// A line of calls with completion handlers. The handlers are called in the order of the calls, regardless of
/// the order in which the outcomes become known.
///
/// This is a value without threads and locks. A call takes a slot, and receives its outcome later. Elements
/// are removed from the front, up to the first slot without an outcome.
struct CompletionLine<Element> {
  /// The outcomes; nil for calls without an outcome yet.
  private var places: [Element?] = []
  private var head = 0
  /// The ticket of the slot at `head`.
  private var firstTicket: UInt64 = 0
  /// Whether elements are being removed, or are about to be.
  private(set) var isRunning = false

  /// Whether every call has an outcome and every element was removed.
  var isEmpty: Bool { head == places.count }

  /// Takes a slot at the end.
  mutating func add() -> UInt64 {
    places.append(nil)
    return firstTicket + UInt64(places.count - head - 1)
  }

  /// Puts an outcome into its slot. A second outcome for the same slot is ignored.
  ///
  /// - Returns: whether a new run must remove elements now.
  mutating func complete(_ ticket: UInt64, with element: Element) -> Bool {
    guard ticket >= firstTicket, ticket - firstTicket < UInt64(places.count - head) else { return false }
    let index = head + Int(ticket - firstTicket)
    guard places[index] == nil else { return false }
    places[index] = element
    guard index == head, !isRunning else { return false }
    isRunning = true
    return true
  }

  /// Removes and returns the next element. Returns nil and ends the run if the first slot has no outcome yet.
  mutating func next() -> Element? {
    guard head < places.count, let element = places[head] else {
      isRunning = false
      return nil
    }
    places[head] = nil
    head += 1
    firstTicket += 1
    if head == places.count {
      places.removeAll(keepingCapacity: places.capacity <= 1024)
      head = 0
    } else if head >= 1024, head * 2 >= places.count {
      places.removeFirst(head)
      head = 0
    }
    return element
  }
}
