import Foundation

/// The lifetime of a class's objects, as the class declares it in ``ObjectBase/lifetime()``: a cache of what comes from
/// somewhere else.
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
/// An object has expired when it is older than its lifetime by ``StoreOptions/clock``: at exactly 3,600 seconds it is
/// fresh. One without a date has expired, and so has one with a date in the future, which a clock that was set back
/// leaves. Expired objects stay until they are fetched again or swept; see <doc:Caching>.
public struct Lifetime {
  /// The kinds of stores in which objects may be kept.
  public enum Tier: Sendable {
    /// Any store.
    case plain
    /// An encrypted store; the opening of any other one fails with ``FiefError/Code/encryptionRequired``.
    case sealed
  }

  let seconds: TimeInterval
  let property: IndexDefinition.Property
  let maximumCount: Int?
  let maximumBytes: Int?
  let tier: Tier

  /// The lifetime of a class's objects.
  ///
  /// What cannot be is an error of code ``FiefError/Code/invalidSchema`` when the store is opened: a property that does
  /// not exist or is no date, a negative number of seconds, a bound of less than one.
  ///
  /// - Parameters:
  ///   - seconds: the age, in seconds, up to which an object is fresh; `.infinity` where only the bounds matter.
  ///   - name: the `Date` or `Date?` that the age is counted from, such as a derived one of the kind
  ///     ``Derivation/lastChange``. Sweeps use an index of it.
  ///   - maximumCount: the greatest number of objects; the oldest ones beyond it are evicted. nil for any number.
  ///   - maximumBytes: the greatest number of bytes of the pages that the objects take, without those of indexes and
  ///     large collections; the oldest ones beyond it are evicted. nil for any number.
  ///   - tier: where the objects may be kept.
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
