/// The order in which completion handlers are called: that of the calls, whatever their outcomes come in.
///
/// A value without threads and locks. A call takes a place, later its outcome comes, and the elements are
/// removed from the front as far as there are outcomes.
struct CompletionLine<Element> {
  /// nil until the outcome is there.
  private var places: [Element?] = []
  private var head = 0
  /// The ticket of the place at `head`.
  private var firstTicket: UInt64 = 0
  /// Whether elements are being removed, or are about to be.
  private(set) var isRunning = false

  /// Whether every call was answered and every element removed.
  var isEmpty: Bool { head == places.count }

  /// Takes a place at the end.
  mutating func add() -> UInt64 {
    places.append(nil)
    return firstTicket + UInt64(places.count - head - 1)
  }

  /// Puts the outcome into its place; a second one of a place is ignored.
  ///
  /// - Returns: whether elements have to be removed now, by a new run.
  mutating func complete(_ ticket: UInt64, with element: Element) -> Bool {
    guard ticket >= firstTicket, ticket - firstTicket < UInt64(places.count - head) else { return false }
    let index = head + Int(ticket - firstTicket)
    guard places[index] == nil else { return false }
    places[index] = element
    guard index == head, !isRunning else { return false }
    isRunning = true
    return true
  }

  /// Takes the next element out; nil, which ends the run, where the first place has no outcome yet.
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
