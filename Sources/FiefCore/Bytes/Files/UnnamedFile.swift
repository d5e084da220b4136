import Foundation
import LMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new file without a name. The system removes it with its last descriptor, so a killed process leaves
/// nothing.
///
/// A complete file can replace a file that has a name. It then has a second name for a moment. If the process is
/// killed at that moment, the next replacement of the same file removes the second name.
///
/// If the file system has no files without names, a file that will get a name has a random name until then, and
/// other files lose their name at once.
package final class UnnamedFile {
  /// The temporary name of files that a store's directory contains if its file system has no files without
  /// names. Only a process that is killed at that moment leaves it, and the next opening of the store removes
  /// it.
  private static let nameInStore = ".sorting"

  package let descriptor: Int32
  /// The path of a temporary name.
  private var temporaryPath: String?

  /// Creates a file that never gets a name, for reading and writing by this process.
  ///
  /// - Parameters:
  ///   - directory: the directory of a store; `nil` for the directory of temporary files.
  ///   - isNamed: whether to use the form with a name, for tests.
  /// - Returns: `nil` if the system cannot create the file; `errno` then has the reason.
  package static func make(in directory: String?, isNamed: Bool = false) -> UnnamedFile? {
    let parent = directory ?? FileManager.default.temporaryDirectory.path
    if !isNamed, let descriptor = openUnnamed(parent) { return UnnamedFile(descriptor, nil) }
    let path = parent + "/" + (directory == nil ? "fief-" + UUID().uuidString : nameInStore)
    for _ in 0..<16 {
      let descriptor = create(path)
      if descriptor >= 0 {
        unlink(path)
        return UnnamedFile(descriptor, nil)
      }
      guard errno == EEXIST else { return nil }
      // A killed process has left the name, or another one is about to remove it. The file keeps its contents.
      unlink(path)
    }
    return nil
  }

  /// Creates a file that can replace another one.
  ///
  /// - Parameters:
  ///   - path: the path of the other file, which need not exist.
  ///   - isNamed: whether to use the form with a name, for tests.
  /// - Returns: `nil` if the system cannot create the file; `errno` then has the reason.
  package static func make(toReplace path: String, isNamed: Bool = false) -> UnnamedFile? {
    if !isNamed, let descriptor = openUnnamed(parent(of: path)) {
      // The file gets its name through this directory.
      if access(link(to: descriptor), F_OK) == 0 { return UnnamedFile(descriptor, nil) }
      close(descriptor)
    }
    let temporary = parent(of: path) + "/.fief-new-" + UUID().uuidString.prefix(8)
    let descriptor = create(temporary)
    return descriptor < 0 ? nil : UnnamedFile(descriptor, temporary)
  }

  /// Removes the name that a killed process has left in the directory of a store.
  package static func removeAbandoned(in directory: String) { unlink(directory + "/" + nameInStore) }

  private init(_ descriptor: Int32, _ temporaryPath: String?) {
    self.descriptor = descriptor
    self.temporaryPath = temporaryPath
  }

  deinit {
    if let temporaryPath { unlink(temporaryPath) }
    close(descriptor)
  }

  /// Gives the file its name in one step, in place of a file that has the name. The caller has synchronized
  /// the contents.
  ///
  /// - Returns: `false` if the system cannot do this; `errno` then has the reason.
  package func replace(_ path: String) -> Bool {
    guard giveName(path) else { return false }
    Self.synchronizeParent(of: path)
    return true
  }

  private func giveName(_ path: String) -> Bool {
    if let temporaryPath {
      guard rename(temporaryPath, path) == 0 else { return false }
      self.temporaryPath = nil
      return true
    }
    let own = Self.link(to: descriptor)
    if linkat(AT_FDCWD, own, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return true }
    guard errno == EEXIST else { return false }
    // Only a rename replaces a file. Every file with the second name is complete, so another process that
    // replaces the same file may take the name or remove it.
    let second = Self.secondName(of: path)
    for _ in 0..<16 {
      unlink(second)
      let isNamed = linkat(AT_FDCWD, own, AT_FDCWD, second, AT_SYMLINK_FOLLOW) == 0
      let isDone = isNamed && rename(second, path) == 0
      let code = errno
      // The rename of two names of one file does nothing.
      if isNamed { unlink(second) }
      if isDone { return true }
      errno = code
      guard code == EEXIST || code == ENOENT else { return false }
    }
    return false
  }

  /// The path that a file has for a moment before it replaces another one.
  package static func secondName(of path: String) -> String {
    var name = (path as NSString).lastPathComponent
    let hash = name.withUTF8 { StableHash.hash(UnsafeRawBufferPointer($0)) }
    return parent(of: path) + "/.fief-new-" + String(hash, radix: 16)
  }

  /// Some file systems cannot synchronize a directory. The name then reaches the disk a little later.
  private static func synchronizeParent(of path: String) {
    let directory = open(parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }

  private static func parent(of path: String) -> String {
    let parent = (path as NSString).deletingLastPathComponent
    return parent.isEmpty ? "." : parent
  }

  private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  private static func create(_ path: String) -> Int32 {
    open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
  }

  /// - Returns: `nil` if the system or the file system has no files without names, or after another failure.
  private static func openUnnamed(_ directory: String) -> Int32? {
    #if os(Linux)
      // `O_TMPFILE`, which Swift does not import.
      let descriptor = open(directory, 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
      return descriptor < 0 ? nil : descriptor
    #else
      return nil
    #endif
  }
}
