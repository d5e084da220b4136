import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is checked before LMDB sees a store's files, and done once it has opened them.
///
/// LMDB reads nothing but the meta pages while it opens and while a reader begins. So those are checked
/// before, and the trees after a reader keeps their pages from being reused by another process.
struct Preflight {
  /// The size of the data file; 0 for a new store.
  var fileSize = 0
  /// Whether the file ends before its last page, which only the walk can tell from a loss.
  var isShort = false
  var hasManifest = false

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
    plan.fileSize = try directory.file(StoreDirectory.dataName).map { Int($0.st_size) } ?? 0
    guard plan.fileSize > 0 else {
      // Without the manifest LMDB would make a new store of a lost one.
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
    let metas = try MetaPages.read(descriptor, path: directory.path)
    plan.isShort = metas.isShort
    return plan
  }

  /// Does what needs LMDB's environment: the walk, and the manifest of a store that has none.
  func complete(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions,
    _ handle: OpaquePointer
  ) throws(LMDBError) {
    if fileSize > 0, isShort || options.verification == .full { try walk(handle, directory.path) }
    guard !options.isReadOnly, !hasManifest else { return }
    try Manifest.write(directory, dataOf: handle, isSynchronised: options.durability != .none)
  }

  private func walk(_ handle: OpaquePointer, _ path: String) throws(LMDBError) {
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    var attempt = 0
    while true {
      var begun: OpaquePointer?
      let code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun)
      if code == MDB_MAP_RESIZED, attempt < 20 {
        attempt += 1
        mdb_env_set_mapsize(handle, 0)
        continue
      }
      guard code == MDB_SUCCESS, let transaction = begun else {
        throw LMDBError(returnCode: code, path: path, doing: "mdb_txn_begin")
      }
      defer { mdb_txn_abort(transaction) }
      do throws(LMDBError) {
        _ = try StoreVerifier.verify(pinned: transaction, descriptor, path: path)
        return
      } catch {
        // Its meta page may have been overwritten before it was read.
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
