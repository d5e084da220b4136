/// Facts about large collections that a write caches until it changes the collections.
///
/// Invariant: ``willChange(_:)`` is called before each change of a large collection.
struct LargeCollectionCache {
  /// The maximum number of collections, which limits the memory of a long write.
  private static let mostCollections = 4_096

  /// A number for each collection that identifies its current elements. No two states of collections have the
  /// same number.
  private var states: [[UInt8]: UInt64] = [:]
  private(set) var lastState: UInt64 = 0
  /// The positions of the links; `nil` for a collection that only one deletion has searched so far.
  private var links: [[UInt8]: LinkPlaces?] = [:]
  private var placeCount = 0
  /// The number of searches for links to deleted objects that walked through all elements of a collection.
  private(set) var searches = 0

  /// Discards the facts about the collections whose keys begin with a prefix.
  mutating func willChange(_ prefix: [UInt8]) {
    if states.isEmpty, links.isEmpty { return }
    guard prefix.count == CollectionMarker.prefixCount else { return forgetAll() }
    states[prefix] = nil
    _ = takeLinks(of: prefix)
  }

  /// Creates a value without facts. Its numbers differ from the numbers of all states in `others`.
  init(after others: LargeCollectionCache) { lastState = others.lastState }

  init() {}

  mutating func forgetAll() {
    states = [:]
    links = [:]
    placeCount = 0
  }

  // MARK: Stored elements

  /// Returns a new number that identifies the current elements of a collection.
  mutating func noteState(of prefix: [UInt8]) -> UInt64 {
    if states[prefix] == nil, states.count >= Self.mostCollections { states = [:] }
    lastState += 1
    states[prefix] = lastState
    return lastState
  }

  /// Whether the number still identifies the current elements of a collection.
  func isUnchanged(_ prefix: [UInt8], since state: UInt64) -> Bool { states[prefix] == state }

  // MARK: Links to deleted objects

  /// Removes and returns the positions of links. The caller returns them with ``keepLinks(_:of:)`` after it
  /// has removed some of the links.
  ///
  /// - Returns: `nil` if no deletion has searched the collection since it was last changed otherwise.
  mutating func takeLinks(of prefix: [UInt8]) -> LinkPlaces?? {
    guard let known = links.removeValue(forKey: prefix) else { return nil }
    placeCount -= known?.count ?? 0
    return .some(known)
  }

  /// - Parameter places: `nil` if the search did not record positions.
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
