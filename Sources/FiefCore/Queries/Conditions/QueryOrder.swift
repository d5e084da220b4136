/// One key of the order of results.
package struct QueryOrder: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    /// A value, through links to one object too.
    case path(QueryPath)
    /// The relevance of the object for the full-text conditions, the best first when ascending.
    case relevance
  }

  /// The place of nil in the order.
  package enum Nils: Hashable, Sendable {
    /// Below everything else: first when ascending, last when descending.
    case smallest
    case first
    case last
  }

  /// The order of texts.
  package enum Collation: Hashable, Sendable {
    /// By their UTF-8 bytes.
    case bytes
    /// By their bytes after case was folded.
    case caseInsensitive
    /// As the language of a locale has it; the identifier of the locale.
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
