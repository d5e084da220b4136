import FiefCore
import Foundation
import LMDB

/// Objects that are copies of data from another source; see <doc:Caching>.
extension StoreAccess {
  /// Returns the object with a primary key from the store if it is fresh. Otherwise fetches and saves it.
  ///
  /// ```swift
  /// let profile = try await profiles.cached(Profile.self, forPrimaryKey: id) { try await api.profile($0) }
  /// print(profile.value.name)
  /// ```
  /// The class declares a ``ObjectBase/lifetime()``. Returning a fresh object costs one lookup. Otherwise
  /// `fetch` is called, once for any number of concurrent calls for the same object in the process, and all
  /// of them receive its result. It runs in a separate task, which inherits no task-local values. The fetch
  /// continues if a call is cancelled, and is cancelled with the last call.
  ///
  /// The object that `fetch` returns must have the requested key. It is saved with ``UpdatePolicy/all``,
  /// together with the objects to which it links, and each call reads a separate instance. The lifetime is
  /// counted from the value of a property. If `fetch` has not assigned this property, and the store does not
  /// derive it, it is set to the time of ``StoreOptions/clock``.
  ///
  /// A fetch fails if `fetch` throws, or if the object has the wrong key or cannot be saved. The store is
  /// then unchanged. The call returns the expired object together with the error, or throws the error if the
  /// store contains no object.
  ///
  /// - Parameters:
  ///   - type: a class of the store with a primary key and a lifetime.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  ///   - policy: determines when the object is read from the store and when it is fetched.
  ///   - lifetime: a lifetime in seconds that replaces the declared one, or `nil` for the declared one.
  ///   - fetch: creates a new object with the key that it receives.
  /// - Returns: the object, which is fresh, fetched or stale.
  /// - Throws: the error of `fetch`; ``FiefError`` of code `objectNotFound` if the policy is
  ///   ``CachePolicy/cacheOnly`` and the store does not have the object, `cancelled` if the task was
  ///   cancelled while it waited, `invalidValue` if the class declares no lifetime or the fetched object has
  ///   a different key, or `fetchCycle` if the fetch would wait for itself.
  nonisolated(nonsending) public func cached<Element: Object, Key: Sendable>(
    _ type: Element.Type,
    forPrimaryKey key: Key,
    policy: CachePolicy = .cacheFirst,
    lifetime: TimeInterval? = nil,
    fetch: @escaping @Sendable (Key) async throws -> sending Element
  ) async throws -> sending Cached<Element> {
    try await CachedRead(store: store(), type: type, key: key, seconds: lifetime, fetch: fetch).object(policy)
  }

  /// Marks an object as expired, so that the next call of `cached` fetches it. The object's other values stay
  /// unchanged, for calls whose fetch fails.
  ///
  /// If the process is currently fetching the object, the fetch is repeated before the object is saved. The
  /// change is durable: the property from which the lifetime is counted becomes `nil`, or the distant past if
  /// it cannot be `nil`, even if it is a derived property. If the object does not exist, nothing happens.
  ///
  /// - Parameters:
  ///   - type: a class of the store with a lifetime.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  /// - Throws: ``FiefError``, for example of code `invalidValue` if the class declares no lifetime. The store
  ///   is then unchanged.
  nonisolated(nonsending) public func invalidate<Element: Object>(type: Element.Type, key: Any) async throws {
    let store = store()
    let core = try store.core(for: type)
    let binding = try core.binding(of: type)
    let lifetime = try binding.lifetime(of: core)
    let bytes = try binding.key(fromPrimaryKey: key, store: core.name).withUnsafeBytes { [UInt8]($0) }
    let table = binding.table
    // Happens before the commit, so that a fetch that saves its object after the commit knows that the object
    // is outdated.
    let flightKey = bytes.withUnsafeBytes {
      FlightKey(store: core.number, type: table.entry.id, key: ObjectKey($0))
    }
    Flights.shared.invalidate(flightKey)
    try await store.write { try $0.invalidate(bytes, of: table, lifetime) }
  }
}

extension Store {
  /// Returns whether an object has expired, by its own values and the store's clock. Nothing is read.
  ///
  /// - Parameter object: an object of the store.
  /// - Returns: `false` if the class has no lifetime.
  /// - Throws: ``FiefError`` if the store is not open or does not have the class.
  public func isExpired(_ object: Object) throws -> Bool {
    let core = try core(for: CollectionOfOne(object))
    let lifetime = try core.binding(of: Swift.type(of: object)).descriptor.lifetime
    return lifetime?.isExpired(object, at: core.tables.clock()) ?? false
  }
}

extension DatabaseConfigurable {
  /// Returns whether an object has expired, by its own values and the store's clock. Returns `false` if the
  /// class has no lifetime or the store cannot be opened. A store that cannot be opened reports an event.
  /// ``Store/isExpired(_:)`` throws instead.
  public func isExpired(_ object: Object) -> Bool {
    let store = store()
    do { return try store.isExpired(object) } catch {
      store.report(error, type: Swift.type(of: object).className())
      return false
    }
  }
}

extension WriteTransaction {
  /// Changes the date from which an object's age is counted, but no property that is derived from the date.
  fileprivate func invalidate(_ key: [UInt8], of table: Table, _ lifetime: DeclaredLifetime) throws {
    try flush()
    let transaction = try liveTransaction()
    guard let records = table.records else { return }
    let never = DerivedValue.floating(DeclaredLifetime.never.timeIntervalSinceReferenceDate)
    let payload = lifetime.property.type.isOptional ? nil : never.payload(.date)
    try key.withUnsafeBytes { key in
      guard let record = try transaction.get(records, key) else { return }
      let view = try table.view(record)
      // Rewriting a damaged record would give it a valid checksum.
      try view.verifyChecksum(key, of: table)
      let changed = try RecordEditor.rewrite(view, table: table, key: key) { column in
        column.name == lifetime.property.column ? .set(payload) : .keep
      }
      try changing { try changed.withUnsafeBytes { try writer.replace(key: key, record: $0, in: table) } }
    }
  }
}
