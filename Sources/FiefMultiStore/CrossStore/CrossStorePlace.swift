import FiefCore
import LMDB

/// The target of a reference, as far as it can be determined without opening its store.
struct CrossStorePlace: Sendable {
  /// The store's name, or `nil` if the text is not a valid reference.
  private(set) var store: String?
  /// The object's key, or `nil` if it does not fit the class.
  private(set) var key: ObjectKey?
  /// The reason why the reference has no target. Meaningless if there is a key.
  private(set) var missing = CrossStoreResolutionReason.malformed

  init<Element: Object>(_ link: CrossStoreLink<Element>) {
    if link.isEmpty { missing = .empty }
    guard let parts = link.parts else { return }
    store = String(parts.store)
    guard parts.type == Element.className(), let keys = try? CrossStoreKeys.of(Element.self) else {
      missing = .otherType
      return
    }
    missing = .otherKey
    key = keys.key(fromText: String(parts.key))
  }
}

/// Resolves many references together.
enum CrossStoreBatch {
  static func resolve<Element: Object>(
    _ places: [CrossStorePlace],
    in stores: [ExactText: Store]
  ) throws -> sending [CrossStoreResolution<Element>] {
    var results = places.map { place in
      CrossStoreResolution<Element>.missing(place.store == nil ? place.missing : .unknownStore)
    }
    for (name, store) in stores {
      let indexes = places.indices.filter { places[$0].store.hasSameBytes(as: name.text) }
      for index in indexes { results[index] = .missing(places[index].missing) }
      let sorted = indexes.compactMap { index in places[index].key.map { (key: $0, index: index) } }
        .sorted { $0.key < $1.key }
      do {
        try store.forEachNewestObject(Element.self, sorted.map(\.key)) { position, object in
          results[sorted[position].index] = object.map { .found($0) } ?? .missing(.noObject)
        }
      } catch let error as FiefError where error.code == .unknownType {
        for entry in sorted { results[entry.index] = .missing(.otherType) }
      }
    }
    return results
  }
}

extension Store {
  /// Returns the object with a key in the newest state.
  func newestObject<Element: Object>(_ type: Element.Type, _ key: ObjectKey) throws -> sending Element? {
    let core = try core(for: type)
    return try core.newestObject(ofType: type, forPrimaryKey: key, context: newest)
  }

  /// Calls `body` with the object of each key, read from one committed state. The keys must be sorted.
  fileprivate func forEachNewestObject<Element: Object>(
    _ type: Element.Type,
    _ keys: [ObjectKey],
    _ body: (Int, Element?) throws -> Void
  ) throws {
    let core = try core(for: type)
    let binding = try core.binding(of: type)
    let context = newest
    try core.read { transaction in
      var last: Element?
      for (position, key) in keys.enumerated() {
        if position == 0 || keys[position - 1] != key {
          last = try binding.table.stored(key.bytes).withUnsafeBytes {
            try core.load(binding, key: $0, from: transaction, context: context) as? Element
          }
        }
        try body(position, last)
      }
    }
  }
}
