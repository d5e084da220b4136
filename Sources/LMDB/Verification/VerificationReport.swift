/// The result of a structural verification.
package struct VerificationReport: Sendable, Hashable {
  /// The size of a page in bytes.
  package var pageSize = 0
  /// The size of the data file in bytes.
  package var fileSize = 0
  /// The commit that was verified.
  package var transaction: UInt64 = 0
  /// The number of the last page that was ever in use.
  package var lastPage = 0
  /// The number of named databases.
  package var databases = 0
  /// The number of entries in the named databases.
  package var entries = 0
  /// The number of branch pages of all trees.
  package var branchPages = 0
  /// The number of leaf pages of all trees.
  package var leafPages = 0
  /// The number of pages of long values.
  package var overflowPages = 0
  /// The number of pages that later commits can use.
  package var freePages = 0
  /// The number of pages that are neither in use nor free: lost space, but not damage.
  package var unreferencedPages = 0
}
