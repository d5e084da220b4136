#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension StoreDirectory {
  /// Checks that only the process's own user, or a trusted group, may write to a file or directory.
  ///
  /// - Parameter allowsGroup: See ``EnvironmentOptions/allowsGroupWritableDirectory``.
  static func checkOwner(_ info: stat, allowsGroup: Bool, path: String) throws(LMDBError) {
    func refuse(_ reason: String) -> LMDBError { LMDBError(.unsafePath, path: path, detail: reason) }
    let isOwn = info.st_uid == geteuid()
    guard info.st_mode & 0o002 == 0 else { throw refuse("writable by all users") }
    if isOwn, info.st_mode & 0o020 == 0 { return }
    // The option helps only members of the group.
    guard isOwnGroup(info.st_gid) else {
      throw refuse(
        (isOwn ? "writable by" : "owned by another user and") + " a group that this process is not in"
      )
    }
    guard allowsGroup else {
      throw refuse(
        (isOwn ? "writable by its group" : "owned by another user")
          + ", and allowsGroupWritableDirectory is false"
      )
    }
  }

  /// Whether the process is in a group.
  private static func isOwnGroup(_ group: gid_t) -> Bool {
    if group == getegid() { return true }
    let count = getgroups(0, nil)
    guard count > 0 else { return false }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let found = getgroups(count, &groups)
    return found > 0 && groups[..<Int(found)].contains(group)
  }

  /// Opens `lock.mdb`, and creates it if it is missing. The caller closes the descriptor.
  ///
  /// No environment of this process may have the store open, because closing the file would release LMDB's
  /// locks.
  func openLock() throws(LMDBError) -> Int32 { try openAny(StoreDirectory.lockName, O_RDWR | O_CREAT) }

  /// Opens a file of the store, and creates it if the flags request this.
  func openAny(_ name: String, _ flags: Int32) throws(LMDBError) -> Int32 {
    let file = openat(descriptor, name, flags | O_NOFOLLOW | O_CLOEXEC, fileMode)
    guard file >= 0 else { throw LMDBError.system("openat", path: path + "/" + name) }
    guard flags & O_CREAT != 0 else { return file }
    do throws(LMDBError) { try share(file) } catch {
      systemClose(file)
      throw error
    }
    return file
  }

  /// Allows the group to use an open file of this user if the group may use the files of the directory. The
  /// umask has prevented this.
  func share(_ file: Int32) throws(LMDBError) {
    guard fileMode != 0o600 else { return }
    var info = stat()
    guard fstat(file, &info) == 0 else { throw LMDBError.system("fstat", path: path) }
    guard info.st_uid == geteuid() else { return }
    // The name may have been given to another file of this user since it was checked.
    guard info.st_nlink <= 1 else {
      throw LMDBError(.unsafePath, path: path, detail: "a file in it has a second name")
    }
    // A copy that was made beside the directory has the group of its creator.
    if info.st_gid != group, fchown(file, uid_t.max, group) != 0 {
      throw LMDBError.system("fchown", path: path)
    }
    guard info.st_mode & fileMode != fileMode else { return }
    guard fchmod(file, info.st_mode & 0o7777 | fileMode) == 0 else {
      throw LMDBError.system("fchmod", path: path)
    }
  }

  /// Shares the data file of a copy that is about to replace the data file in this directory.
  func share(dataOf copy: borrowing StoreDirectory) throws(LMDBError) {
    guard fileMode != 0o600 else { return }
    let file = try copy.open(StoreDirectory.dataName, O_RDONLY)
    defer { systemClose(file) }
    try share(file)
  }
}
