import FiefCore
import Foundation

/// Objects that are copies of what comes from somewhere else; see <doc:Caching>.
extension DatabaseConfigurable {
  /// The object with a primary key: from the store where it is fresh, else fetched and saved.
  ///
  /// ```swift
  /// let profile = try await profiles.cached(Profile.self, forPrimaryKey: id) { id in try await api.profile(id) }
  /// ```
  /// See ``Store/cached(_:forPrimaryKey:policy:lifetime:fetch:)``.
  ///
  /// - Parameters:
  ///   - type: a class of the store with a primary key and a lifetime.
  ///   - key: the primary key; an array of the parts for a compound one.
  ///   - policy: what is read and what is fetched.
  ///   - lifetime: the lifetime in seconds, in place of the declared one; nil for that.
  ///   - fetch: makes a new object with the key that it gets; called once for any number of calls at the same time.
  /// - Returns: the object, and whether it is fresh, fetched or expired.
  /// - Throws: the error of `fetch` where the store has no expired object; ``FiefError``.
  nonisolated(nonsending) public func cached<Element: Object, Key: Sendable>(
    _ type: Element.Type,
    forPrimaryKey key: Key,
    policy: CachePolicy = .cacheFirst,
    lifetime: TimeInterval? = nil,
    fetch: @escaping @Sendable (Key) async throws -> sending Element
  ) async throws -> sending Cached<Element> {
    try await store().cached(type, forPrimaryKey: key, policy: policy, lifetime: lifetime, fetch: fetch)
  }

  /// Whether an object has expired, by its own values and the store's clock; false for a class without a lifetime, and
  /// where the store cannot be opened, which is an event. ``Store/isExpired(_:)`` throws instead.
  public func isExpired(_ object: Object) -> Bool {
    let store = store()
    do { return try store.isExpired(object) } catch {
      store.report(error, type: Swift.type(of: object).className())
      return false
    }
  }

  /// Deletes expired objects of the classes with a ``ObjectBase/lifetime()``, and the oldest ones beyond its bounds, in one
  /// commit; see ``Store/sweepExpired(limit:)``.
  ///
  /// - Parameter limit: the greatest number of expired objects that the call deletes.
  /// - Returns: how many were deleted; fewer than `limit` where nothing more can be.
  /// - Throws: ``FiefError`` with nothing deleted.
  @discardableResult
  nonisolated(nonsending) public func sweepExpired(limit: Int = 1000) async throws -> Int {
    try await store().sweepExpired(limit: limit)
  }

  /// Lets an object expire, so that the next call of `cached` fetches it; see ``Store/invalidate(type:key:)``.
  ///
  /// - Throws: ``FiefError``, with nothing changed.
  nonisolated(nonsending) public func invalidate<Element: Object>(type: Element.Type, key: Any) async throws {
    try await store().invalidate(type: type, key: key)
  }
}
