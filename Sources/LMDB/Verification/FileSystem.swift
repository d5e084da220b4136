import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Queries and operations on a store's file system.
enum FileSystem {
  /// Returns the name of a remote file system, on which LMDB's locks and its map are not coherent, or `nil`
  /// for a local one.
  static func remoteName(_ descriptor: Int32) -> String? {
    #if os(Linux)
      return remoteName(kind: clmdb_file_system_kind(descriptor))
    #else
      var info = statfs()
      guard fstatfs(descriptor, &info) == 0 else { return nil }
      return info.f_flags & UInt32(MNT_LOCAL) == 0 ? "remote" : nil
    #endif
  }

  /// Whether the file system is nearly full, or the file has the maximum size for this process. Used after a
  /// failure that does not report this itself.
  ///
  /// A file system in memory ends a write early, which LMDB reports as an input or output error. It has no
  /// device that could fail. By now it may have space again, because all stores in memory and other programs
  /// share it.
  static func isFull(_ descriptor: Int32) -> Bool {
    #if os(Linux)
      if clmdb_file_system_kind(descriptor) == 0x0102_1994 { return true }
    #endif
    var info = statvfs()
    if fstatvfs(descriptor, &info) == 0, UInt64(info.f_bavail) * UInt64(info.f_frsize) < 64 << 10 {
      return true
    }
    return FileSizeLimit.isReached(descriptor)
  }

  /// Allocates space beyond the end of a file without extending the file. Returns an `errno` or 0.
  static func allocate(_ descriptor: Int32, from offset: Int, count: Int) -> Int32 {
    #if os(Linux)
      return clmdb_allocate(descriptor, Int64(offset), Int64(count))
    #else
      return EOPNOTSUPP
    #endif
  }

  /// Renames a file or directory unless the new name exists. Returns an `errno` or 0.
  static func renameExclusively(_ from: String, to new: String) -> Int32 {
    #if os(Linux)
      let code = clmdb_rename_exclusive(from, new)
      guard code == EINVAL || code == ENOSYS else { return code }
      // The file system does not support the flag. A directory that is not empty is still never replaced.
      var info = stat()
      if lstat(new, &info) == 0 { return EEXIST }
      return rename(from, new) == 0 ? 0 : errno
    #else
      return renamex_np(from, new, UInt32(RENAME_EXCL)) == 0 ? 0 : errno
    #endif
  }

  /// Exchanges two files in one step. Returns an `errno` or 0. Not every file system supports this.
  static func exchange(_ first: String, _ second: String) -> Int32 {
    #if os(Linux)
      return clmdb_rename_exchange(first, second)
    #else
      return renamex_np(first, second, UInt32(RENAME_SWAP)) == 0 ? 0 : errno
    #endif
  }

  #if os(Linux)
    private static func remoteName(kind: UInt32) -> String? {
      switch kind {
      case 0x6969: "nfs"
      case 0x517B: "smb"
      case 0xFF53_4D42: "cifs"
      case 0xFE53_4D42: "smb2"
      case 0x564C: "ncp"
      case 0x5346_414F, 0x6B41_4653: "afs"
      case 0x7375_7245: "coda"
      case 0x0102_1997: "9p"
      case 0x00C3_6400: "ceph"
      case 0x0BD0_0BD0: "lustre"
      case 0x4750_4653: "gpfs"
      case 0x1983_0326: "beegfs"
      case 0x0116_1970: "gfs2"
      case 0x7461_636F: "ocfs2"
      case 0x786F_4256: "vboxsf"
      case 0xBACB_ACBC: "vmhgfs"
      case 0x6573_5546: "fuse"
      case 0x2003_0528: "pvfs2"
      case 0xAAD7_AAEA: "panfs"
      default: nil
      }
    }
  #endif
}
