/// The sizes of a database's tree.
package struct DatabaseStatistics: Sendable, Hashable {
  /// The number of entries.
  package var entries: Int
  /// The number of levels.
  package var depth: Int
  /// The number of branch pages.
  package var branchPages: Int
  /// The number of leaf pages, which contain entries.
  package var leafPages: Int
  /// The number of pages for values that are too long for a leaf page.
  package var overflowPages: Int
  /// The size of a page in bytes.
  package var pageSize: Int
}
