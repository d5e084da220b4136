import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An LMDB environment that has just been opened, with the checks that precede its first use.
struct EnvironmentHandle {
  let handle: OpaquePointer
  let mapSize: Int
  /// Whether the store is read without a lock table, because it has none and none should or can be created.
  let isWithoutLocks: Bool
  /// Whether a manifest existed before the store was opened.
  let hadManifest: Bool
  /// Records the pages that must be checked when they are reached; `nil` if all pages were checked.
  let checkedPages: CheckedPages?

  /// Opens the store once; see ``init(_:_:mapSize:)``.
  init(
    once directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions,
    mapSize wanted: Int
  ) throws(LMDBError) {
    let plan = try Preflight.check(directory, options)
    hadManifest = plan.hasManifest
    let hasLockTable = try directory.file(StoreDirectory.lockName) != nil
    // If no table can be created, no process can be writing.
    let makesTable = options.createsLockTable && directory.isWritable
    isWithoutLocks = options.isReadOnly && !hasLockTable && !makesTable
    let least = EnvironmentHandle.mapSize(atLeast: plan.fileSize, wanted: wanted, options)
    // Twice the size of the file if the system has the address space, because the map cannot grow while there
    // are readers.
    let room = min(2 * min(plan.fileSize, 1 << 60), options.maximumMapSize)
    var size = max(least, EnvironmentHandle.roundedToPages(room))
    while true {
      do throws(LMDBError) {
        handle = try EnvironmentHandle.openOnce(
          directory,
          options,
          mapSize: size,
          isWithoutLocks: isWithoutLocks
        )
        break
      } catch {
        // Only address space is missing. The smallest useful map is as large as the file.
        if error.returnCode == ENOMEM, size > least {
          size = least
          continue
        }
        guard error.returnCode == ENOMEM, size / 2 >= max(plan.fileSize, 1 << 20) else { throw error }
        size = EnvironmentHandle.roundedToPages(size / 2)
      }
    }
    do throws(LMDBError) {
      checkedPages = try plan.checkedPages(options, directory.path)
      try EnvironmentHandle.finish(handle, directory, options, plan)
    } catch {
      mdb_env_close(handle)
      throw error
    }
    mapSize = EnvironmentHandle.mapSize(of: handle)
  }

  /// Returns the size of LMDB's map.
  static func mapSize(of handle: OpaquePointer) -> Int {
    var info = MDB_envinfo()
    mdb_env_info(handle, &info)
    return info.me_mapsize
  }

  static func roundedToPages(_ size: Int) -> Int {
    let page = max(Int(sysconf(Int32(_SC_PAGESIZE))), 4096)
    return max((size + page - 1) / page, 4) * page
  }

  private static func mapSize(atLeast fileSize: Int, wanted: Int, _ options: EnvironmentOptions) -> Int {
    roundedToPages(max(min(wanted, options.maximumMapSize), fileSize))
  }

  private static func openOnce(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions,
    mapSize: Int,
    isWithoutLocks: Bool
  ) throws(LMDBError) -> OpaquePointer {
    var created: OpaquePointer?
    let code = mdb_env_create(&created)
    guard code == MDB_SUCCESS, let environment = created else { throw LMDBError(returnCode: code) }
    var flags = UInt32(MDB_NOTLS | MDB_NORDAHEAD)
    switch options.durability {
    case .full: break
    case .relaxed: flags |= UInt32(MDB_NOMETASYNC)
    case .none: flags |= UInt32(MDB_NOSYNC)
    }
    if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
    if isWithoutLocks { flags |= UInt32(MDB_NOLOCK) }
    if !isWithoutLocks {
      do throws(LMDBError) { try allocateLockTable(directory, options) } catch {
        mdb_env_close(environment)
        throw error
      }
    }
    mdb_env_set_mapsize(environment, mapSize)
    mdb_env_set_maxreaders(environment, UInt32(clamping: max(options.maxReaders, 1)))
    mdb_env_set_maxdbs(environment, UInt32(clamping: max(options.maxDatabases, 1)))
    let opened = mdb_env_open(environment, directory.path, flags, directory.fileMode)
    guard opened == MDB_SUCCESS else {
      mdb_env_close(environment)
      if opened == EIO, FileSystem.isFull(directory.descriptor) {
        throw LMDBError(.diskFull, path: directory.path, detail: "mdb_env_open", returnCode: opened)
      }
      var error = LMDBError(returnCode: opened, path: directory.path, doing: "mdb_env_open")
      error.isPassing = isPassing(opened)
      throw error
    }
    return environment
  }

  private static func finish(
    _ handle: OpaquePointer,
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions,
    _ plan: Preflight
  ) throws(LMDBError) {
    var descriptor: Int32 = -1
    mdb_env_get_fd(handle, &descriptor)
    // LMDB 0.9.24 sets this flag only on its other descriptors.
    guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
      throw LMDBError.system("fcntl", path: directory.path)
    }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw LMDBError.system("fstat", path: directory.path) }
    guard let file = try directory.file(StoreDirectory.dataName), FileIdentity(file) == FileIdentity(info),
      directory.isNamed
    else {
      var error = LMDBError(.unsafePath, path: directory.path, detail: "the data file was replaced")
      error.isPassing = true
      throw error
    }
    if !options.isReadOnly { try directory.share(descriptor) }
    try plan.checkFits(FileIdentity(info), handle, directory.path)
    // Stale readers are cleared even for reading only, because processes that were killed may occupy all
    // slots.
    var cleared: Int32 = 0
    mdb_reader_check(handle, &cleared)
    try checkTable(handle, options, directory.path)
    try plan.complete(directory, options, handle)
  }
}
