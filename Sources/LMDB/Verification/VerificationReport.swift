/// The result of a structural verification.
public struct VerificationReport: Sendable, Hashable {
  /// The size of a page in bytes.
  public var pageSize = 0
  /// The size of the data file in bytes.
  public var fileSize = 0
  /// The commit that was verified.
  public var transaction: UInt64 = 0
  /// The number of the last page that was ever in use.
  public var lastPage = 0
  /// The number of named databases.
  public var databases = 0
  /// The number of entries in the named databases.
  public var entries = 0
  /// The number of inner pages of all trees.
  public var branchPages = 0
  /// The number of leaf pages of all trees.
  public var leafPages = 0
  /// The number of pages of long values.
  public var overflowPages = 0
  /// The number of pages that later commits can use.
  public var freePages = 0
  /// The number of pages that are neither in use nor free: lost, but no damage.
  public var unreferencedPages = 0
}
