/// An object of a cache, and how it was got.
public enum Cached<Value> {
  /// The store had it, and it has not expired; nothing was fetched.
  case fresh(Value)
  /// It was fetched and saved, by this call or by another one at the same time.
  case fetched(Value)
  /// The store had it, and it has expired. The error is that of the fetch; nil where the call did not wait for one.
  case stale(Value, (any Error)?)

  /// The object.
  public var value: Value {
    switch self {
    case .fresh(let value), .fetched(let value), .stale(let value, _): value
    }
  }

  /// Whether the object has expired.
  public var isStale: Bool { if case .stale = self { true } else { false } }

  /// The error of the fetch that left an expired object; nil for none.
  public var error: (any Error)? { if case .stale(_, let error) = self { error } else { nil } }
}

extension Cached: Sendable where Value: Sendable {}

/// What a call asks of a cache.
public enum CachePolicy: Sendable, Hashable, CaseIterable {
  /// A fresh object as it is; else it is fetched. Where that fails, an expired object is better than none.
  case cacheFirst
  /// A fresh object as it is, and an expired one at once, which is fetched again behind the call; else it is fetched.
  case staleWhileRevalidate
  /// It is always fetched; where that fails, the call fails.
  case networkOnly
  /// What the store has, fresh or expired; nothing is fetched.
  case cacheOnly
}
