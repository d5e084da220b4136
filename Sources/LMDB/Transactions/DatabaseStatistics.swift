/// The sizes of a database's tree.
public struct DatabaseStatistics: Sendable, Hashable {
  /// The number of entries.
  public var entries: Int
  /// The number of levels.
  public var depth: Int
  /// The number of inner pages.
  public var branchPages: Int
  /// The number of pages with entries.
  public var leafPages: Int
  /// The number of pages of values that are too long for a leaf page.
  public var overflowPages: Int
  /// The size of a page in bytes.
  public var pageSize: Int
}
