import CSodium
import Fief
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file with a key that only its owner can read.
enum KeyFile {
  /// Reads a key file.
  ///
  /// - Throws: ``FiefError`` of code `invalidKey` if the file is not a regular file owned by this user with
  ///   mode 0600 or 0400 and the length of a key, or if it is a symbolic link.
  static func read(_ path: String) throws -> Data {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw refused(
        path,
        errno == ELOOP ? "is a link" : "cannot be opened: \(String(cString: strerror(errno)))"
      )
    }
    defer { close(file) }
    var info = stat()
    guard fstat(file, &info) == 0 else {
      throw refused(path, "cannot be inspected: \(String(cString: strerror(errno)))")
    }
    guard info.st_mode & S_IFMT == S_IFREG else { throw refused(path, "is not a regular file") }
    guard info.st_uid == geteuid() else { throw refused(path, "belongs to another user") }
    guard info.st_mode & 0o177 == 0 else {
      throw refused(path, "is accessible to others or executable: its mode must be 0600 or 0400")
    }
    guard info.st_size == 32 || info.st_size == 64 else {
      throw refused(path, "has \(info.st_size) bytes; a key has 32 bytes, or 64 like a key of Realm")
    }
    var bytes = Data(count: Int(info.st_size))
    var done = 0
    while done < bytes.count {
      let wanted = bytes.count - done
      // SAFETY: the range lies within `bytes`.
      let count = bytes.withUnsafeMutableBytes { readSome(file, $0.baseAddress.map { $0 + done }, wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw refused(path, "cannot be read") }
      done += count
    }
    return bytes
  }

  /// Creates a file with a random key. The file gets its name once it is complete and on disk.
  static func make(_ path: String) throws {
    try Sodium.prepare()
    let partial = path + ".partial-" + UUID().uuidString
    let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw refused(path, "cannot be created: \(String(cString: strerror(errno)))") }
    defer { unlink(partial) }
    var key = Sodium.random(SecretBytes.count)
    let isWritten =
      write(file, &key, key.count) == key.count && fchmod(file, 0o600) == 0 && fsync(file) == 0
    let code = errno
    sodium_memzero(&key, key.count)
    close(file)
    guard isWritten else { throw refused(path, "cannot be written: \(String(cString: strerror(code)))") }
    guard link(partial, path) == 0 else {
      throw refused(
        path,
        errno == EEXIST ? "exists" : "cannot be created: \(String(cString: strerror(errno)))"
      )
    }
    do { try synchroniseName(path) } catch {
      unlink(path)
      throw error
    }
  }

  private static func synchroniseName(_ path: String) throws {
    let directory = (path as NSString).deletingLastPathComponent
    let parent = open(directory.isEmpty ? "." : directory, O_RDONLY | O_CLOEXEC)
    guard parent >= 0 else { throw refused(path, "is in a directory that cannot be opened") }
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw refused(path, "is in a directory that cannot be synced") }
  }

  private static func readSome(_ file: Int32, _ place: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    // The system's function, which has the same name as the method above.
    #if canImport(Glibc)
      Glibc.read(file, place, count)
    #elseif canImport(Musl)
      Musl.read(file, place, count)
    #else
      Darwin.read(file, place, count)
    #endif
  }

  private static func refused(_ path: String, _ reason: String) -> FiefError {
    FiefError(.invalidKey, "The key file cannot be used.", path: path, details: ["it \(reason)"])
  }
}
