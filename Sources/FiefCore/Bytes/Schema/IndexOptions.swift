/// The indexes of one property.
///
/// ```swift
/// @Persisted(index: .unique) var email = ""
/// @Persisted(index: [.unique, .caseInsensitive]) var name = ""
/// @Persisted(index: [.plain, .fullText]) var title = ""
/// ```
/// `unique` and `caseInsensitive` say how the one index of the values is; `fullText` is an index beside it.
/// A property with an index of the values and another one is declared by ``ObjectBase/indexes()``, and so are
/// indexes of several properties.
public struct IndexOptions: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Makes options from their bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An index of the values: for comparisons, ranges, prefixes and orders.
  @inlinable public static var plain: IndexOptions { IndexOptions(rawValue: 1) }
  /// An index in which no two objects have the same value; nil is no value. A link to one object may have it too.
  @inlinable public static var unique: IndexOptions { IndexOptions(rawValue: 2) }
  /// An index of a text in which case does not count.
  @inlinable public static var caseInsensitive: IndexOptions { IndexOptions(rawValue: 4) }
  /// An index of the words of a text, for `matches`.
  @inlinable public static var fullText: IndexOptions { IndexOptions(rawValue: 8) }
}
