#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension StoreVerifier {
  /// The newest commit of a store, according to its meta pages.
  package struct Commit: Sendable, Hashable {
    /// The number of the commit.
    package var transaction: UInt64
    /// The size of a page in bytes.
    package var pageSize: Int
    /// The size of the data file in bytes.
    package var fileSize: Int
    /// The number of bytes of all pages up to the last page that was ever used.
    package var extent: Int
  }

  /// Reads the meta pages of a store without LMDB and in constant time. The store may be in use.
  ///
  /// - Throws: The errors of ``verify(directory:allowsGroup:)`` that the meta pages reveal.
  package static func newestCommit(
    of directory: String,
    allowsGroup: Bool = false
  ) throws(LMDBError) -> Commit {
    try newestCommit(in: StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup))
  }

  static func newestCommit(in place: borrowing StoreDirectory) throws(LMDBError) -> Commit {
    let descriptor = try openData(in: place)
    defer { systemClose(descriptor) }
    let metas = try MetaPages.read(descriptor, path: place.path)
    let newer = metas.newer
    // The checks of a meta page limit both factors, so the product cannot overflow.
    return Commit(
      transaction: newer.transaction,
      pageSize: newer.pageSize,
      fileSize: metas.fileSize,
      extent: Int(clamping: (newer.lastPage + 1) * UInt64(newer.pageSize))
    )
  }
}
