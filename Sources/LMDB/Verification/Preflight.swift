#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is checked before LMDB sees a store's files, and done once it has opened them.
struct Preflight {
  /// The size of the data file; 0 for a new store.
  var fileSize: Int

  static func check(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> Preflight {
    _ = try directory.file(StoreDirectory.lockName)
    let file = try directory.file(StoreDirectory.dataName)
    let size = file.map { Int($0.st_size) } ?? 0
    if size == 0, options.isReadOnly || !options.createsIfMissing {
      throw LMDBError(.notFound, path: directory.path)
    }
    return Preflight(fileSize: size)
  }

  func complete(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions,
    _ handle: OpaquePointer
  ) throws(LMDBError) {}
}
