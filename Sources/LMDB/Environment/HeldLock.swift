import CLMDB

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// LMDB's lock on a store, held alone, and the table in its file.
///
/// A process that opens the store meanwhile waits in `mdb_env_open` for a shared lock. When it gets that, it takes the
/// table as it is: the number of the newest commit comes from the table from then on, not from the data file. So a
/// table of a file that is not there any more would have it read a page of the new file that is not the newest, and
/// then write over the newest. This is why the table is spoilt before a file is exchanged, and made again after it.
final class HeldLock {
  private let path: String
  private let descriptor: Int32
  private var isSpoilt = false

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Whether the locked file is the one that others find.
  var isNamed: Bool {
    var ours = stat()
    var named = stat()
    guard fstat(descriptor, &ours) == 0, lstat(path + "/" + StoreDirectory.lockName, &named) == 0 else {
      return false
    }
    return FileIdentity(ours) == FileIdentity(named)
  }

  /// Makes the table unusable: should this process be killed, the next one to open the store makes it again, and one
  /// that waits already opens the store once more.
  ///
  /// - Throws: `diskFull`, `inputOutput`; nothing has changed then.
  func spoilTable() throws(LMDBError) {
    guard try sizeOfFile(descriptor, path: path) > 0 else { return }
    // The mark and the version of the table, which LMDB reads before anything else in it.
    var nothing: UInt64 = 0
    guard pwrite(descriptor, &nothing, 8, 0) == 8 else { throw LMDBError.system("pwrite", path: path) }
    isSpoilt = true
  }

  /// Makes LMDB create its lock table again, for the present file.
  ///
  /// LMDB gets the exclusive lock, as it is this process's already, makes the table and gives the lock to those that
  /// wait. Where it cannot open the file, the table stays unusable, which is safe.
  func finish() {
    guard isSpoilt, isNamed, let size = fileSize() else { return }
    var created: OpaquePointer?
    guard mdb_env_create(&created) == MDB_SUCCESS, let environment = created else { return }
    // The least number of readers: the table keeps its present size.
    mdb_env_set_maxreaders(environment, 1)
    mdb_env_set_mapsize(environment, OpenedHandle.roundedToPages(size))
    _ = mdb_env_open(environment, path, UInt32(MDB_RDONLY | MDB_NOTLS), 0o600)
    mdb_env_close(environment)
  }

  /// The size of a data file that LMDB may see; nil for any other.
  private func fileSize() -> Int? {
    let file = systemOpen(path + "/" + StoreDirectory.dataName, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { systemClose(file) }
    return try? MetaPages.read(file, path: path).fileSize
  }
}
