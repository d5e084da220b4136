import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Checks the structure of a store's data file: every reachable page. No page is trusted.
///
/// It finds damage that would crash or mislead LMDB. It cannot find a changed byte inside a value, or in a
/// key whose order stays correct; finding these requires a checksum in the value.
package enum StoreVerifier {
  /// Verifies the newest commit of a store without changing the store, which may be in use in the meantime.
  ///
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - allowsGroup: See ``EnvironmentOptions/allowsGroupWritableDirectory``.
  /// - Throws: `damaged`, `truncated`, `notAStore`, `versionMismatch` or `incompatible`, with the page;
  ///   `notFound`, `unsafePath`, `permissionDenied` or `inputOutput`.
  package static func verify(
    directory: String,
    allowsGroup: Bool = false
  ) throws(LMDBError) -> VerificationReport {
    let place = try StoreDirectory(path: directory, creating: false, allowsGroup: allowsGroup)
    let descriptor = try openData(in: place)
    defer { systemClose(descriptor) }
    return try verify(newestIn: descriptor, path: directory)
  }

  /// Opens the data file of a store for reading. The caller closes the descriptor.
  static func openData(in place: borrowing StoreDirectory) throws(LMDBError) -> Int32 {
    guard let file = try place.file(StoreDirectory.dataName) else {
      if try place.file(StoreDirectory.manifestName) != nil {
        throw LMDBError(.truncated, "The store's data file is missing.", path: place.path)
      }
      throw LMDBError(.notFound, path: place.path)
    }
    guard file.st_size > 0 else { throw LMDBError(.truncated, path: place.path) }
    return try place.open(StoreDirectory.dataName, O_RDONLY)
  }

  /// Verifies the newest commit of an open data file.
  static func verify(newestIn descriptor: Int32, path: String) throws(LMDBError) -> VerificationReport {
    var attempt = 0
    while true {
      let metas = try MetaPages.read(descriptor, path: path)
      do throws(LMDBError) {
        return try walk(descriptor, metas.newer, metas.fileSize, path: path)
      } catch {
        // Two commits of another process may have reused pages of the commit that is being verified. The
        // finding is then meaningless.
        attempt += 1
        let now = try MetaPages.read(descriptor, path: path)
        guard now.newer.transaction != metas.newer.transaction, attempt < 20 else { throw error }
      }
    }
  }

  /// Verifies the commit that a reader of an open environment protects from being overwritten.
  static func verify(
    pinned transaction: OpaquePointer,
    _ descriptor: Int32,
    path: String,
    _ part: StructuralWalk.Part = .everything
  ) throws(LMDBError) -> VerificationReport {
    try verify(commit: UInt64(mdb_txn_id(transaction)), descriptor, path: path, part)
  }

  /// Verifies a commit that is not overwritten in the meantime.
  static func verify(
    commit id: UInt64,
    _ descriptor: Int32,
    path: String,
    _ part: StructuralWalk.Part
  ) throws(LMDBError) -> VerificationReport {
    let metas = try MetaPages.read(descriptor, path: path)
    guard let meta = metas.page(transaction: id) else {
      // Two commits were made since the reader began.
      throw LMDBError(.damaged, path: path, detail: "commit \(id) is not in a meta page")
    }
    try meta.checkTrees(path: path)
    return try walk(descriptor, meta, metas.fileSize, path: path, part)
  }

  private static func walk(
    _ descriptor: Int32,
    _ meta: MetaPage,
    _ fileSize: Int,
    path: String,
    _ part: StructuralWalk.Part = .everything
  ) throws(LMDBError) -> VerificationReport {
    try StructuralWalk(descriptor, meta: meta, fileSize: fileSize, path: path).run(part)
  }
}
