/// A first-in, first-out queue from which elements can also be removed by their tickets.
///
/// Appending and removing the first element take amortized constant time. Removing an element by its ticket
/// also takes a binary search. Tickets must increase along the line.
struct WriteQueueLine<Element> {
  private struct Place {
    let ticket: UInt64
    var element: Element?
  }

  // Invariant: if `count > 0`, `places[head]` contains an element, and all places before `head` are empty.
  private var places: [Place] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  var first: Element? { count == 0 ? nil : places[head].element }

  mutating func append(_ element: Element, ticket: UInt64) {
    places.append(Place(ticket: ticket, element: element))
    count += 1
  }

  mutating func popFirst() -> (ticket: UInt64, element: Element)? {
    guard count > 0, let element = places[head].element else { return nil }
    let ticket = places[head].ticket
    vacate(head)
    return (ticket, element)
  }

  mutating func remove(ticket: UInt64) -> Element? {
    var low = head
    var high = places.count
    while low < high {
      let middle = low + (high - low) / 2
      if places[middle].ticket < ticket { low = middle + 1 } else { high = middle }
    }
    guard low < places.count, places[low].ticket == ticket, let element = places[low].element else {
      return nil
    }
    vacate(low)
    return element
  }

  private mutating func vacate(_ index: Int) {
    places[index].element = nil
    count -= 1
    guard count > 0 else {
      // A line that has become short releases the memory of its longest state.
      places.removeAll(keepingCapacity: places.capacity <= 8192)
      head = 0
      return
    }
    while places[head].element == nil { head += 1 }
    // Each compaction moves fewer places than were vacated since the previous one, so removing takes
    // amortized constant time.
    if places.count > 64, count < places.count / 2 {
      places.removeAll { $0.element == nil }
      head = 0
    }
  }
}
