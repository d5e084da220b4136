/// The places that a product has written, such as the places of a tree in the store. A place is a list of
/// names from the root of the product's data.
///
/// A write notes its places with ``RecordWriter/note(_:keep:)``, and its commit publishes them to the
/// observations of places.
package typealias NotedPlaces = Set<[ExactText]>

/// The places that a write has noted so far.
struct PlaceNotes {
  typealias Keep = (NotedPlaces, RecordWriter) throws -> Void

  private(set) var places: NotedPlaces
  /// The places that were not passed to the product yet.
  private var waiting: NotedPlaces
  private let keep: Keep

  init(_ place: [ExactText], keep: @escaping Keep) {
    places = [place]
    waiting = places
    self.keep = keep
  }

  mutating func insert(_ place: [ExactText]) {
    places.insert(place)
    waiting.insert(place)
  }

  /// Adds the places of a nested transaction.
  mutating func append(_ inner: PlaceNotes) {
    places.formUnion(inner.places)
    waiting.formUnion(inner.waiting)
  }

  /// Returns a call that passes the waiting places to the product, which keeps them in the store; `nil` if no
  /// place is waiting.
  mutating func takeWaiting() -> ((RecordWriter) throws -> Void)? {
    if waiting.isEmpty { return nil }
    let places = waiting
    waiting = []
    return { [keep] in try keep(places, $0) }
  }
}

extension RecordWriter {
  /// Notes that a product has written a place. The commit publishes the place.
  ///
  /// - Parameter keep: writes the places of the whole write into the store. It is called once, before the
  ///   commit.
  package func note(_ place: [ExactText], keep: @escaping (NotedPlaces, RecordWriter) throws -> Void) {
    if notes == nil { notes = PlaceNotes(place, keep: keep) } else { notes?.insert(place) }
  }

  /// Adds the places of a nested transaction.
  func append(_ inner: PlaceNotes?) {
    guard let inner else { return }
    if notes == nil { notes = inner } else { notes?.append(inner) }
  }

  /// Lets the product keep the noted places in the store.
  func keepPlaces() throws {
    if let keep = notes?.takeWaiting() { try keep(self) }
  }
}
