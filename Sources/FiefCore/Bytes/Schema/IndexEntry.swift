/// An index in the catalogue.
package struct IndexEntry: Sendable, Equatable {
  /// The greatest number of columns in an index.
  static let mostColumns = 8

  /// The kind of an index. The raw value is its number in the catalogue.
  package enum Kind: UInt8, Sendable {
    /// An entry for each object: the columns' values, then the object key.
    case ordered = 1
    /// One entry for each word of the columns' texts.
    case fullText = 2
  }

  package var id: UInt16
  package var kind: Kind = .ordered
  /// Whether two objects may not have the same values. Several objects may have nil.
  package var isUnique = false
  /// Whether entries contain case-folded texts.
  package var isCaseInsensitive = false
  /// The columns, in their order in the index.
  package var columns: [UInt16]
}
