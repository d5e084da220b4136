/// The indexes of one property, as options of its declaration.
///
/// ```swift
/// @Persisted(index: .unique) var email = ""
/// @Persisted(index: [.unique, .caseInsensitive]) var name = ""
/// @Persisted(index: [.plain, .fullText]) var title = ""
/// ```
/// `unique` and `caseInsensitive` describe one index of the values; `fullText` adds a second index. For two
/// indexes of the values of one property, or indexes of several properties, implement
/// ``ObjectBase/indexes()``.
public struct IndexOptions: OptionSet, Sendable, Hashable {
  /// The bits of the options.
  public let rawValue: UInt8

  /// Creates options from their bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// An index of the values, for comparisons, ranges, prefixes and sort orders.
  @inlinable public static var plain: IndexOptions { IndexOptions(rawValue: 1) }
  /// An index in which no two objects have the same value. Several objects may have nil. A link to one object
  /// may also have a unique index.
  @inlinable public static var unique: IndexOptions { IndexOptions(rawValue: 2) }
  /// An index of a text that ignores case.
  @inlinable public static var caseInsensitive: IndexOptions { IndexOptions(rawValue: 4) }
  /// An index of the words of a text, for `matches`.
  @inlinable public static var fullText: IndexOptions { IndexOptions(rawValue: 8) }

  /// Returns the indexes that the options declare for a column.
  func names(of column: String) -> [IndexName] {
    var names: [IndexName] = []
    if !isDisjoint(with: [.plain, .unique, .caseInsensitive]) {
      names.append(
        IndexName(
          isUnique: contains(.unique),
          isCaseInsensitive: contains(.caseInsensitive),
          columns: [column]
        )
      )
    }
    if contains(.fullText) { names.append(IndexName(kind: .fullText, columns: [column])) }
    return names
  }
}
