import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// LMDB's lock on a store, held exclusively, and the lock table in its file.
///
/// A process that opens the store in the meantime waits in `mdb_env_open` for a shared lock. When it receives
/// the lock, it uses the table as it is: from then on it takes the number of the newest commit from the
/// table, not from the data file. With the table of a replaced file, it would read an old page of the new
/// file and then overwrite the newest commit. Therefore the table is invalidated before a file is exchanged,
/// and rebuilt afterwards.
final class ExclusiveLock {
  private let path: String
  private let descriptor: Int32
  private var isSpoilt = false

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Whether the locked file is the file that other processes find under its name.
  var isNamed: Bool {
    var ours = stat()
    var named = stat()
    guard fstat(descriptor, &ours) == 0, lstat(path + "/" + StoreDirectory.lockName, &named) == 0 else {
      return false
    }
    return FileIdentity(ours) == FileIdentity(named)
  }

  /// Makes the table unusable. If this process is killed, the next process that opens the store rebuilds the
  /// table, and a process that is already waiting opens the store again.
  ///
  /// - Throws: `diskFull`, `inputOutput`. Nothing has then changed.
  func spoilTable() throws(LMDBError) {
    guard try sizeOfFile(descriptor, path: path) > 0 else { return }
    // The magic number and the version of the table, which LMDB reads before anything else in the table.
    var nothing: UInt64 = 0
    guard pwrite(descriptor, &nothing, 8, 0) == 8 else { throw LMDBError.system("pwrite", path: path) }
    isSpoilt = true
  }

  /// Makes LMDB rebuild its lock table for the current file.
  ///
  /// LMDB receives the exclusive lock, because this process already holds it, builds the table, and passes
  /// the lock to the waiting processes. If LMDB cannot open the file, the table stays unusable, which is
  /// safe.
  func finish() {
    guard isSpoilt, isNamed, let size = fileSize() else { return }
    var created: OpaquePointer?
    guard mdb_env_create(&created) == MDB_SUCCESS, let environment = created else { return }
    // The minimum number of readers, so that the table keeps its size.
    mdb_env_set_maxreaders(environment, 1)
    mdb_env_set_mapsize(environment, EnvironmentHandle.roundedToPages(size))
    _ = mdb_env_open(environment, path, UInt32(MDB_RDONLY | MDB_NOTLS), 0o600)
    mdb_env_close(environment)
  }

  /// Returns the size of a data file that LMDB may see, or `nil` for any other file.
  private func fileSize() -> Int? {
    let file = systemOpen(path + "/" + StoreDirectory.dataName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { systemClose(file) }
    return try? MetaPages.read(file, path: path).fileSize
  }
}
