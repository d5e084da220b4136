#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension StoreVerifier {
  /// The newest commit of a store, as its meta pages have it.
  package struct Commit: Sendable, Hashable {
    /// The number of the commit.
    package var transaction: UInt64
    /// The size of a page in bytes.
    package var pageSize: Int
    /// The size of the data file in bytes.
    package var fileSize: Int
    /// The bytes of all pages up to the last one that was ever in use.
    package var extent: Int
  }

  /// Reads the meta pages of a store, without LMDB and in constant time; the store may be in use.
  ///
  /// - Throws: as ``verify(directory:)``, as far as the meta pages show it.
  package static func newestCommit(of directory: String) throws(LMDBError) -> Commit {
    let place = try StoreDirectory(path: directory, creating: false)
    guard let file = try place.file(StoreDirectory.dataName) else {
      if try place.file(StoreDirectory.manifestName) != nil {
        throw LMDBError(.truncated, "The store's data file is missing.", path: directory)
      }
      throw LMDBError(.notFound, path: directory)
    }
    guard file.st_size > 0 else { throw LMDBError(.truncated, path: directory) }
    let descriptor = try place.open(StoreDirectory.dataName, O_RDONLY)
    defer { systemClose(descriptor) }
    let metas = try MetaPages.read(descriptor, path: directory)
    let newer = metas.newer
    // The checks of a meta page keep both factors far below what overflows.
    return Commit(
      transaction: newer.transaction,
      pageSize: newer.pageSize,
      fileSize: metas.fileSize,
      extent: Int(clamping: (newer.lastPage + 1) * UInt64(newer.pageSize))
    )
  }
}
