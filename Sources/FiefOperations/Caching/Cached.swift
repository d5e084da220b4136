/// An object from a cache, and how it was obtained.
public enum Cached<Value> {
  /// The store contains the object, and the object has not expired. Nothing was fetched.
  case fresh(Value)
  /// The object was fetched and saved, by this call or by another call at the same time.
  case fetched(Value)
  /// The store contains the object, but the object has expired. The error is the error of the fetch, or `nil`
  /// if the call did not wait for a fetch.
  case stale(Value, (any Error)?)

  /// The object.
  public var value: Value {
    switch self {
    case .fresh(let value), .fetched(let value), .stale(let value, _): value
    }
  }

  /// A Boolean value that indicates whether the object has expired.
  public var isStale: Bool { if case .stale = self { true } else { false } }

  /// The error of the failed fetch, if the expired object was returned because of it.
  public var error: (any Error)? { if case .stale(_, let error) = self { error } else { nil } }
}

extension Cached: Sendable where Value: Sendable {}

/// A policy that determines when a call reads the object from the store and when it fetches it.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
  /// Returns a fresh object from the store; otherwise fetches the object. If the fetch fails, returns the
  /// expired object if the store contains it.
  case cacheFirst
  /// Returns a fresh object from the store, or immediately an expired one, which is then fetched in the
  /// background. If the store does not contain the object, fetches it.
  case staleWhileRevalidate
  /// Always fetches the object. If the fetch fails, the call fails.
  case networkOnly
  /// Returns the object from the store, fresh or expired, and never fetches.
  case cacheOnly
}
