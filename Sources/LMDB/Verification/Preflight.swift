import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The checks before LMDB sees a store's files, and the work after it has opened them.
///
/// LMDB reads only the meta pages while it opens the store and while a reader begins. Therefore the meta
/// pages are checked before, and the trees after a reader prevents another process from reusing their pages.
struct Preflight {
  /// The size of the data file; 0 for a new store.
  var fileSize = 0
  /// The data file that was checked, or `nil` if there was none.
  var file: FileIdentity?
  /// Whether the file ends before its last page. Only the walk can distinguish this from a loss.
  var isShort = false
  var hasManifest = false
  /// The number of pages up to the last page that was ever in use.
  var pageCount: UInt64 = 0

  static func check(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> Preflight {
    if !options.allowsRemoteFileSystem, let name = FileSystem.remoteName(directory.descriptor) {
      throw LMDBError(.remoteFileSystem, path: directory.path, detail: name)
    }
    var plan = Preflight()
    _ = try directory.file(StoreDirectory.lockName)
    plan.hasManifest = try directory.file(StoreDirectory.manifestName) != nil
    let file = try directory.file(StoreDirectory.dataName)
    plan.fileSize = file.map { Int($0.st_size) } ?? 0
    plan.file = file.map { FileIdentity($0) }
    guard plan.fileSize > 0 else {
      // The manifest prevents LMDB from creating a new store in place of a lost one.
      if plan.hasManifest {
        throw LMDBError(.truncated, "The store's data file is missing or empty.", path: directory.path)
      }
      if options.isReadOnly || !options.createsIfMissing {
        throw LMDBError(.notFound, path: directory.path)
      }
      return plan
    }
    let descriptor = try directory.open(StoreDirectory.dataName, O_RDONLY)
    defer { systemClose(descriptor) }
    do throws(LMDBError) {
      let metas = try checkCommits(descriptor, directory, options)
      plan.isShort = metas.isShort
      plan.pageCount = metas.newer.lastPage + 1
    } catch {
      // A damaged file beside a manifest is a loss. Without a manifest, it may be left from an interrupted
      // first opening.
      guard !plan.hasManifest, try wasNeverMade(descriptor, path: directory.path) else { throw error }
      if options.isReadOnly || !options.createsIfMissing {
        throw LMDBError(.notFound, path: directory.path)
      }
      guard try emptyUnmade(directory) else { return try check(directory, options) }
      plan.fileSize = 0
    }
    return plan
  }

  /// - Throws: A passing error if LMDB has opened a different file from the checked one, or a file in which
  ///   another process has created a store in the meantime. The plan does not match such a file.
  func checkFits(_ opened: FileIdentity, _ handle: OpaquePointer, _ path: String) throws(LMDBError) {
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    if fileSize > 0 ? opened == file : info.me_last_txnid == 0 { return }
    var error = LMDBError(.inUse, "The data file was replaced while the store was opened.", path: path)
    error.isPassing = true
    throw error
  }

  /// Completes the work that requires LMDB's environment: the walk, and the manifest of a store without one.
  /// A store without any commit gets its manifest with the first commit, so a manifest always indicates a
  /// store.
  func complete(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions,
    _ handle: OpaquePointer
  ) throws(LMDBError) {
    if fileSize > 0 { try walk(handle, directory.path, options) }
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    guard !options.isReadOnly, !hasManifest else { return }
    guard info.me_last_txnid > 0 else {
      // The file's name must be on the disk before its first commit.
      if options.durability != .none { try directory.synchronise() }
      return
    }
    try Manifest.write(directory, dataOf: handle, isSynchronised: options.durability != .none)
  }

  /// Returns the part of the file to check before the store is used, or `nil` for none.
  private func part(_ options: EnvironmentOptions) -> StructuralWalk.Part? {
    switch options.verification {
    case .none, .quick: isShort ? .everything : nil
    case .automatic: isShort ? .everything : isSmall(options) ? .branches : .mainTree
    case .full: .everything
    }
  }

  /// Whether all pages are checked before the first write and before the first count.
  private func isSmall(_ options: EnvironmentOptions) -> Bool { fileSize <= options.wholeVerificationBytes }

  /// Returns the set that records pages as they are checked on first use, or `nil` if pages are checked
  /// immediately or not at all.
  func checkedPages(_ options: EnvironmentOptions, _ path: String) throws(LMDBError) -> CheckedPages? {
    guard options.verification == .automatic, fileSize > 0, !isShort else { return nil }
    guard let pages = CheckedPages(limit: pageCount, isSmall: isSmall(options)) else {
      throw LMDBError(returnCode: ENOMEM, path: path, doing: "calloc")
    }
    return pages
  }

  /// Walks the pages that must be correct before the store is used: at least the pages of the main tree,
  /// which LMDB reads itself.
  private func walk(
    _ handle: OpaquePointer,
    _ path: String,
    _ options: EnvironmentOptions
  ) throws(LMDBError) {
    guard let part = part(options) else { return }
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    var attempt = 0
    while true {
      var begun: OpaquePointer?
      let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun)
      if code == MDB_MAP_RESIZED, attempt < 20 {
        attempt += 1
        // After a failure, LMDB has no map, and a transaction would access unmapped memory.
        let resized = mdb_env_set_mapsize(handle, 0)
        guard resized == MDB_SUCCESS else { throw LMDBError(.mapFull, path: path, returnCode: resized) }
        continue
      }
      guard code == MDB_SUCCESS, let transaction = begun else {
        throw LMDBError(returnCode: code, path: path, doing: "mdb_txn_begin")
      }
      defer { mdb_txn_abort(transaction) }
      do throws(LMDBError) {
        _ = try StoreVerifier.verify(pinned: transaction, descriptor, path: path, part)
        return
      } catch {
        // The meta page of the commit may have been overwritten before it was read.
        attempt += 1
        var info = MDB_envinfo()
        mdb_env_info(handle, &info)
        guard UInt64(info.me_last_txnid) > UInt64(mdb_txn_id(transaction)) + 1, attempt < 20 else {
          throw error
        }
      }
    }
  }
}
