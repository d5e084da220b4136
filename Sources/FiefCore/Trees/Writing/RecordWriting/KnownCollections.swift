/// Facts about large collections that a write keeps until it changes the collections.
///
/// Invariant: ``willChange(_:)`` is called before each change of a large collection.
struct KnownCollections {
  /// The maximum number of collections, which limits the memory of a long write.
  private static let mostCollections = 4_096

  /// A number for the current elements of each collection. No two states of collections have the same number.
  private var states: [[UInt8]: UInt64] = [:]
  private(set) var lastState: UInt64 = 0
  /// The places of links, or `nil` for a collection that only one deletion has searched so far.
  private var links: [[UInt8]: LinkPlaces?] = [:]
  private var placeCount = 0
  /// The number of walks through all elements of a collection in search of links to deleted objects.
  private(set) var searches = 0

  /// Forgets the collections whose keys begin with a prefix.
  mutating func willChange(_ prefix: [UInt8]) {
    if states.isEmpty, links.isEmpty { return }
    guard prefix.count == CollectionMarker.prefixCount else { return forgetAll() }
    states[prefix] = nil
    _ = takeLinks(of: prefix)
  }

  /// Creates a value without facts, whose numbers differ from the numbers of all states of `others`.
  init(after others: KnownCollections) { lastState = others.lastState }

  init() {}

  mutating func forgetAll() {
    states = [:]
    links = [:]
    placeCount = 0
  }

  // MARK: Stored elements

  /// Returns a new number for the current elements of a collection.
  mutating func noteState(of prefix: [UInt8]) -> UInt64 {
    if states[prefix] == nil, states.count >= Self.mostCollections { states = [:] }
    lastState += 1
    states[prefix] = lastState
    return lastState
  }

  /// Whether a collection still has the elements to which a number was assigned.
  func isUnchanged(_ prefix: [UInt8], since state: UInt64) -> Bool { states[prefix] == state }

  // MARK: Links to deleted objects

  /// Removes and returns the places of links. The caller returns them with ``keepLinks(_:of:)`` after it has
  /// removed some of the links.
  ///
  /// - Returns: `nil` if no deletion has searched the collection since its last other change.
  mutating func takeLinks(of prefix: [UInt8]) -> LinkPlaces?? {
    guard let known = links.removeValue(forKey: prefix) else { return nil }
    placeCount -= known?.count ?? 0
    return .some(known)
  }

  /// - Parameter places: `nil` if the collection was searched without recording places.
  mutating func keepLinks(_ places: LinkPlaces?, of prefix: [UInt8]) {
    let count = places?.count ?? 0
    if links.count >= Self.mostCollections || placeCount + count > LinkPlaces.mostElements {
      links = [:]
      placeCount = 0
    }
    links[prefix] = .some(places)
    placeCount += count
  }

  mutating func noteSearch() { searches += 1 }
}
