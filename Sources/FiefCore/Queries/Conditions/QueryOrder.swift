/// One sort key of a query.
package struct QueryOrder: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    /// The value at a path, which may follow links to single objects.
    case path(QueryPath)
    /// The relevance of the object for the full-text conditions. Ascending order begins with the most
    /// relevant object.
    case relevance
  }

  /// The position of nil in the order.
  package enum Nils: Hashable, Sendable {
    /// Nil is the smallest value: first in ascending order, last in descending order.
    case smallest
    case first
    case last
  }

  /// The order of texts.
  package enum Collation: Hashable, Sendable {
    /// By UTF-8 bytes.
    case bytes
    /// By UTF-8 bytes after case folding.
    case caseInsensitive
    /// By the rules of a locale, given by its identifier.
    case locale(String)
  }

  package var key: Key
  package var ascending: Bool
  package var nils: Nils
  package var collation: Collation

  package init(_ key: Key, ascending: Bool = true, nils: Nils = .smallest, collation: Collation = .bytes) {
    self.key = key
    self.ascending = ascending
    self.nils = nils
    self.collation = collation
  }
}
