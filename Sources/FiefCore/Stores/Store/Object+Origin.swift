import Foundation

/// The origin of an object, for the modules of this package.
extension ObjectBase {
  /// A handle of the store from which the object, or the object that contains it, was read or to which it was
  /// saved; nil for an object that is not in a store.
  package var originStore: Store? {
    guard let context = (root ?? self)._context, let store = context.store else { return nil }
    return Store(.success(store), visible: context.visible)
  }
}

extension Object {
  /// Returns whether the object was in a store and no longer exists, in the active write of this thread or
  /// the snapshot of its handler, or otherwise in the newest state.
  ///
  /// - Throws: ``FiefError`` if the store cannot be read.
  package func isGone() throws -> Bool {
    if _wasDeleted { return true }
    guard let store = _context?.store, let key = try key(in: store) else { return false }
    return try store.isGone(key.bytes, from: store.binding(of: Swift.type(of: self)).table)
  }

  /// Returns the key of the object in its store, or nil if it has none yet.
  package func originKey() throws -> [UInt8]? { try keyInQueries?.bytes }
}

extension StoreCore {
  /// Whether no object has the given key, in the active write of this thread or the snapshot of its handler,
  /// or otherwise in the newest state.
  ///
  /// - Throws: ``FiefError`` if the store cannot be read.
  func isGone(_ key: [UInt8], from table: Table) throws -> Bool {
    if let scope = readingScope(seeing: nil) {
      try scope.prepareForReading()
      let transaction = try scope.liveTransaction()
      return try key.withUnsafeBytes { try !contains(table, key: $0, in: transaction) }
    }
    return try read { transaction in
      try key.withUnsafeBytes { try !contains(table, key: $0, in: transaction) }
    }
  }

  /// The identity of the store. It also differs between copies of the store.
  var identity: String { "\(storeID.uuidString)@\(directory)" }
}

extension Store {
  /// Returns the object with a key, or nil if it does not exist. Secret parts of the key may be in clear.
  package func object<Element: Object>(ofType type: Element.Type, key: [UInt8]) throws -> Element? {
    let core = try core(for: type)
    let binding = try core.binding(of: type)
    return try binding.table.stored(key).withUnsafeBytes { key in
      if let scope = core.readingScope(seeing: visible) { return try scope.object(of: binding, key: key) }
      return try core.read { try core.load(binding, key: key, from: $0, context: newest) }
    }?.cast(to: type)
  }

  /// Returns the identity of the store, which also differs between copies of the store.
  package func identity() throws -> String { try core().identity }
}
