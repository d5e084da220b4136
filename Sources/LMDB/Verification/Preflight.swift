import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The checks before LMDB sees a store's files, and the work once it has opened them.
///
/// LMDB reads nothing but the meta pages while it opens and while a reader begins. So those are checked
/// before, and the trees after a reader keeps their pages from being reused by another process.
struct Preflight {
  /// The size of the data file; 0 for a new store.
  var fileSize = 0
  /// The data file that was checked; nil where there was none.
  var file: FileIdentity?
  /// Whether the file ends before its last page, which only the walk can distinguish from a loss.
  var isShort = false
  var hasManifest = false
  /// The number of pages up to the last one that was ever in use.
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
      // The manifest prevents LMDB from making a new store in place of a lost one.
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
      // A damaged file beside a manifest is a loss; without one it may be the rest of an interrupted first opening.
      guard !plan.hasManifest, try wasNeverMade(descriptor, path: directory.path) else { throw error }
      if options.isReadOnly || !options.createsIfMissing {
        throw LMDBError(.notFound, path: directory.path)
      }
      guard try emptyUnmade(directory) else { return try check(directory, options) }
      plan.fileSize = 0
    }
    return plan
  }

  /// - Throws: an error that passes where LMDB has opened another file than the one that was checked, or one
  ///   in which another process has made a store meanwhile: the plan does not fit it.
  func checkFits(_ opened: FileIdentity, _ handle: OpaquePointer, _ path: String) throws(LMDBError) {
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    if fileSize > 0 ? opened == file : info.me_last_txnid == 0 { return }
    var error = LMDBError(.inUse, "The data file was replaced while the store was opened.", path: path)
    error.isPassing = true
    throw error
  }

  /// Does what needs LMDB's environment: the walk, and the manifest of a store that has none. A store in which nothing
  /// was ever committed gets it with its first commit, so that where there is a manifest there is a store.
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
      // The file's name is on the disk before its first commit.
      if options.durability != .none { try directory.synchronise() }
      return
    }
    try Manifest.write(directory, dataOf: handle, isSynchronised: options.durability != .none)
  }

  /// The part of the file that is checked before the store is used; nil for none.
  private func part(_ options: EnvironmentOptions) -> StructuralWalk.Part? {
    switch options.verification {
    case .none, .quick: isShort ? .everything : nil
    case .automatic: isShort ? .everything : isSmall(options) ? .branches : .mainTree
    case .full: .everything
    }
  }

  /// Whether all pages are checked before the first write, and before the first count.
  private func isSmall(_ options: EnvironmentOptions) -> Bool { fileSize <= options.wholeVerificationBytes }

  /// The set that notes pages as they are checked on first use; nil where all are checked at once, or none.
  func checkedPages(_ options: EnvironmentOptions, _ path: String) throws(LMDBError) -> CheckedPages? {
    guard options.verification == .automatic, fileSize > 0, !isShort else { return nil }
    guard let pages = CheckedPages(limit: pageCount, isSmall: isSmall(options)) else {
      throw LMDBError(returnCode: ENOMEM, path: path, doing: "calloc")
    }
    return pages
  }

  /// Walks the pages that have to be right before the store is used; those of the main tree, which LMDB reads itself, at least.
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
        // After a failure LMDB has no map at all, and a transaction would read where none is.
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
