import FiefCore
import Foundation
import LMDB

/// Objects that are copies of what comes from somewhere else; see <doc:Caching>.
extension Store {
  /// The object with a primary key: from the store where it is fresh, else fetched and saved.
  ///
  /// ```swift
  /// let profile = try await store.cached(Profile.self, forPrimaryKey: id) { id in try await api.profile(id) }
  /// print(profile.value.name)
  /// ```
  /// The class declares a ``ObjectBase/lifetime()``. A fresh object costs one look-up. Else `fetch` is called, once for any
  /// number of calls for the same object at the same time in the process; all get its outcome. It is called in a task of
  /// its own. The task inherits no task-local value. It continues if a call is cancelled, and is cancelled with the last call. The object that it
  /// returns has the requested key. It is saved with ``UpdatePolicy/all``, with the objects that it links, and
  /// each call reads an instance of its own. Where `fetch` has not assigned the property that the lifetime is counted
  /// from, and the store does not derive it, it gets the time of ``StoreOptions/clock``.
  ///
  /// A fetch fails where `fetch` throws, where its object has another key, and where it cannot be saved; the store is as
  /// it was then. The call returns the expired object, if there is one, with the error, and else throws the error.
  ///
  /// - Parameters:
  ///   - type: a class of the store with a primary key and a lifetime.
  ///   - key: the primary key; an array of the parts for a compound one.
  ///   - policy: what is read and what is fetched.
  ///   - lifetime: the lifetime in seconds, in place of the declared one; nil for that.
  ///   - fetch: makes a new object with the key that it gets.
  /// - Returns: the object, and whether it is fresh, fetched or expired.
  /// - Throws: the error of `fetch`; ``FiefError``, of code `objectNotFound` where the policy is
  ///   ``CachePolicy/cacheOnly`` and the store has none, `cancelled` where the task was cancelled while it waited,
  ///   `invalidValue` if the class declares no lifetime or the fetched object has another key, `fetchCycle` if the
  ///   fetch would wait for itself.
  nonisolated(nonsending) public func cached<Element: Object, Key: Sendable>(
    _ type: Element.Type,
    forPrimaryKey key: Key,
    policy: CachePolicy = .cacheFirst,
    lifetime: TimeInterval? = nil,
    fetch: @escaping @Sendable (Key) async throws -> sending Element
  ) async throws -> sending Cached<Element> {
    try await CachedRead(store: self, type: type, key: key, seconds: lifetime, fetch: fetch).object(policy)
  }

  /// Whether an object has expired, by its own values and the store's clock; nothing is read.
  ///
  /// - Parameter object: an object of the store.
  /// - Returns: false for an object of a class without a lifetime.
  /// - Throws: ``FiefError`` where the store is not open or does not have the class.
  public func isExpired(_ object: Object) throws -> Bool {
    let core = try core(for: CollectionOfOne(object))
    let lifetime = try core.binding(of: Swift.type(of: object)).descriptor.lifetime
    return lifetime?.isExpired(object, at: core.tables.clock()) ?? false
  }

  /// Lets an object expire: the next call of `cached` fetches it. It stays as it is otherwise, for calls whose fetch fails.
  ///
  /// A fetch of it that is going on in the process is repeated before it is saved. The change is durable: the property that the lifetime is counted from becomes nil, or the distant past where it cannot
  /// be nil, also where it is a derived one. It does nothing where there is no such object.
  ///
  /// - Parameters:
  ///   - type: a class of the store with a lifetime.
  ///   - key: the primary key; an array of the parts for a compound one.
  /// - Throws: ``FiefError``, of code `invalidValue` where the class declares no lifetime; the store is then unchanged.
  nonisolated(nonsending) public func invalidate<Element: Object>(type: Element.Type, key: Any) async throws {
    let core = try core(for: type)
    let binding = try core.binding(of: type)
    let lifetime = try binding.lifetime(of: core)
    let bytes = try binding.key(fromPrimaryKey: key, store: core.name).withUnsafeBytes { [UInt8]($0) }
    let table = binding.table
    // Before the commit: a fetch that has saved its object by now has done so before this one.
    let flightKey = bytes.withUnsafeBytes {
      FlightKey(store: core.number, type: table.entry.id, key: ObjectKey($0))
    }
    Flights.shared.invalidate(flightKey)
    try await write { try $0.invalidate(bytes, of: table, lifetime) }
  }
}

extension WriteTransaction {
  /// Changes the date of an object that its age is counted from, and nothing that is derived from it.
  fileprivate func invalidate(_ key: [UInt8], of table: Table, _ lifetime: DeclaredLifetime) throws {
    try flush()
    let transaction = try liveTransaction()
    guard let records = table.records else { return }
    let never = DerivedValue.floating(DeclaredLifetime.never.timeIntervalSinceReferenceDate)
    let payload = lifetime.property.type.isOptional ? nil : never.payload(.date)
    try key.withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return }
      let view = try table.view(record)
      // A damaged record would get a checksum that is right.
      try view.verifyChecksum(key, of: table)
      let changed = try RecordEditor.rewrite(view, table: table, key: key) { column in
        column.name == lifetime.property.column ? .set(payload) : .keep
      }
      try changing { try changed.withUnsafeBytes { try writer.replace(key: key, record: $0, in: table) } }
    }
  }
}
