import Foundation

/// The lifetime of a class's objects, as declared by the class in ``ObjectBase/lifetime()``, for caches of
/// data from elsewhere.
///
/// ```swift
/// final class Profile: Object {
///   @Persisted(primaryKey: true) var id = ""
///   @Persisted var name = ""
///   @Persisted(indexed: true) var cachedAt: Date?
///   override class func lifetime() -> Lifetime? { Lifetime(3600, since: "cachedAt") }
///   override class func derivedProperties() -> [DerivedProperty] { [DerivedProperty("cachedAt", .lastChange)] }
/// }
/// ```
/// An object has expired when it is older than its lifetime by ``StoreOptions/clock``; at exactly 3,600
/// seconds it is still fresh. An object without a date has expired. So has an object with a date in the
/// future, which can result from setting the clock back. Expired objects stay in the store until they are
/// fetched again or swept; see <doc:Caching>.
public struct Lifetime {
  /// The kinds of stores that may contain the objects.
  public enum Tier: Sendable {
    /// Any store.
    case plain
    /// An encrypted store. Opening any other store fails with ``FiefError/Code/encryptionRequired``.
    case sealed
  }

  let seconds: TimeInterval
  let property: IndexDefinition.Property
  let maximumCount: Int?
  let maximumBytes: Int?
  let tier: Tier

  /// Creates the lifetime of a class's objects.
  ///
  /// An invalid lifetime is an error of code ``FiefError/Code/invalidSchema`` when the store is opened: a
  /// property that does not exist or is not a date, a negative number of seconds, or a bound of less than
  /// one.
  ///
  /// - Parameters:
  ///   - seconds: the age, in seconds, up to which an object is fresh; `.infinity` if only the bounds matter.
  ///   - name: the `Date` or `Date?` property from which the age is measured, such as a derived property of
  ///     the kind ``Derivation/lastChange``. Sweeps use an index of it.
  ///   - maximumCount: the maximum number of objects; beyond it the oldest objects are evicted. `nil` means
  ///     no limit.
  ///   - maximumBytes: the maximum size, in bytes, of the pages of the objects, without indexes and large
  ///     collections; beyond it the oldest objects are evicted. `nil` means no limit.
  ///   - tier: the kinds of stores that may contain the objects.
  public init(
    _ seconds: TimeInterval,
    since name: String,
    maximumCount: Int? = nil,
    maximumBytes: Int? = nil,
    tier: Tier = .plain
  ) {
    self.init(seconds, .name(name), maximumCount, maximumBytes, tier)
  }

  init(
    _ seconds: TimeInterval,
    _ property: IndexDefinition.Property,
    _ maximumCount: Int?,
    _ maximumBytes: Int?,
    _ tier: Tier
  ) {
    self.seconds = seconds
    self.property = property
    self.maximumCount = maximumCount
    self.maximumBytes = maximumBytes
    self.tier = tier
  }
}
