/// An index in the catalogue.
package struct IndexEntry: Sendable, Equatable {
  /// The greatest number of columns in an index.
  static let mostColumns = 8

  /// The kind of an index, by its number in the catalogue.
  package enum Kind: UInt8, Sendable {
    /// Entries of the columns' values and the object key.
    case ordered = 1
    /// One entry for each word of the columns' texts.
    case fullText = 2
  }

  package var id: UInt16
  package var kind: Kind = .ordered
  /// Whether two objects cannot have the same values. Several objects may have nil.
  package var isUnique = false
  /// Whether entries have texts with folded case, so that case does not matter.
  package var isCaseInsensitive = false
  /// The columns, in the order in which they decide.
  package var columns: [UInt16]
}
