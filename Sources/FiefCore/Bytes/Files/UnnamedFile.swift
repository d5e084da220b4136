import Foundation

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
/// A complete file can replace a file that has a name. If the file system has no files without names, a file
/// that will get a name has a temporary name until then, and other files lose their name at once.
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
  ///   - isNamed: whether the file has a name for a moment. Tests ask for it.
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
  ///   - isNamed: whether the file has a temporary name. Tests ask for it.
  /// - Returns: `nil` if the system cannot create the file; `errno` then has the reason.
  package static func make(toReplace path: String, isNamed: Bool = false) -> UnnamedFile? {
    if !isNamed, let descriptor = openUnnamed(parent(of: path)) {
      // The file gets its name through this directory.
      if access(link(to: descriptor), F_OK) == 0 { return UnnamedFile(descriptor, nil) }
      close(descriptor)
    }
    let temporary = temporaryPath(beside: path)
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
    if temporaryPath == nil {
      if linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 {
        Self.synchronizeParent(of: path)
        return true
      }
      guard errno == EEXIST else { return false }
      // Only a rename replaces a file.
      let temporary = Self.temporaryPath(beside: path)
      guard linkat(AT_FDCWD, Self.link(to: descriptor), AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0 else {
        return false
      }
      temporaryPath = temporary
    }
    guard let temporary = temporaryPath, rename(temporary, path) == 0 else { return false }
    temporaryPath = nil
    Self.synchronizeParent(of: path)
    return true
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

  private static func temporaryPath(beside path: String) -> String { path + ".new-" + UUID().uuidString }

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
