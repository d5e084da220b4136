/// An index as the catalogue has it.
package struct IndexEntry: Sendable, Equatable {
  /// How many columns an index may have.
  static let mostColumns = 8

  /// What the entries of an index are.
  package enum Kind: UInt8, Sendable {
    /// The values of the columns, then the object key.
    case ordered = 1
    /// One entry for each word of the column's text.
    case fullText = 2
  }

  package var id: UInt16
  package var kind: Kind = .ordered
  /// Whether two objects cannot have the same values; nil is no value.
  package var isUnique = false
  /// Whether case is folded in texts, so that the index has equal ones side by side.
  package var isCaseInsensitive = false
  /// The columns, the one that decides first at the front.
  package var columns: [UInt16]
}
