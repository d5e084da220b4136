import FiefCore
import Foundation

/// Objects that are copies of data from another source; see <doc:Caching>.
extension DatabaseConfigurable {
  /// Returns the object with a primary key from the store if it is fresh. Otherwise fetches and saves it.
  ///
  /// ```swift
  /// let profile = try await profiles.cached(Profile.self, forPrimaryKey: id) { id in try await api.profile(id) }
  /// ```
  /// See ``Store/cached(_:forPrimaryKey:policy:lifetime:fetch:)``.
  ///
  /// - Parameters:
  ///   - type: a class of the store with a primary key and a lifetime.
  ///   - key: the primary key, or an array of its parts if it is a compound key.
  ///   - policy: determines when the object is read from the store and when it is fetched.
  ///   - lifetime: a lifetime in seconds that replaces the declared one, or `nil` for the declared one.
  ///   - fetch: creates a new object with the key that it receives. It is called once for any number of
  ///     concurrent calls.
  /// - Returns: the object, which is fresh, fetched or stale.
  /// - Throws: the error of `fetch`, if the store has no expired object; ``FiefError``.
  nonisolated(nonsending) public func cached<Element: Object, Key: Sendable>(
    _ type: Element.Type,
    forPrimaryKey key: Key,
    policy: CachePolicy = .cacheFirst,
    lifetime: TimeInterval? = nil,
    fetch: @escaping @Sendable (Key) async throws -> sending Element
  ) async throws -> sending Cached<Element> {
    try await store().cached(type, forPrimaryKey: key, policy: policy, lifetime: lifetime, fetch: fetch)
  }

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

  /// Deletes expired objects of the classes with a ``ObjectBase/lifetime()``, and the oldest objects that
  /// exceed its limits, in one commit; see ``Store/sweepExpired(limit:)``.
  ///
  /// - Parameter limit: the maximum number of expired objects that the call deletes.
  /// - Returns: the number of deleted objects, which is less than `limit` if no more can be deleted.
  /// - Throws: ``FiefError``, with nothing deleted.
  @discardableResult
  nonisolated(nonsending) public func sweepExpired(limit: Int = 1000) async throws -> Int {
    try await store().sweepExpired(limit: limit)
  }

  /// Marks an object as expired, so that the next call of `cached` fetches it; see
  /// ``Store/invalidate(type:key:)``.
  ///
  /// - Throws: ``FiefError``, with nothing changed.
  nonisolated(nonsending) public func invalidate<Element: Object>(type: Element.Type, key: Any) async throws {
    try await store().invalidate(type: type, key: key)
  }
}
