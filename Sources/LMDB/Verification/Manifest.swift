import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A small file beside the data file that shows that a store exists.
///
/// Only the presence of the file counts. If the data file beside it is empty or missing, the store was lost;
/// it is never a new store.
enum Manifest {
  static let text = "Fief store, format 1. The data is in data.mdb.\n"

  /// Writes the manifest after the data file has reached the disk.
  static func write(
    _ directory: borrowing StoreDirectory,
    dataOf handle: OpaquePointer,
    isSynchronised: Bool
  ) throws(LMDBError) {
    var data: Int32 = -1
    mdb_env_get_fd(handle, &data)
    if isSynchronised, systemSynchroniseAll(data) != 0 {
      throw LMDBError.system("fsync", path: directory.path)
    }
    try write(directory, isSynchronised: isSynchronised)
  }

  static func write(
    _ directory: borrowing StoreDirectory,
    isSynchronised: Bool
  ) throws(LMDBError) {
    let descriptor: Int32
    do throws(LMDBError) {
      descriptor = try directory.open(StoreDirectory.manifestName, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      // Another process was faster.
      if error.code == .alreadyExists { return }
      throw error
    }
    defer { systemClose(descriptor) }
    let bytes = Array(text.utf8)
    // An incomplete manifest still serves its purpose, so its length is not checked.
    _ = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
    guard isSynchronised else { return }
    guard systemSynchroniseAll(descriptor) == 0 else { throw LMDBError.system("fsync", path: directory.path) }
    try directory.synchronise()
  }
}
