import Fief
import Foundation

/// The free space on the file system of a path.
package enum FreeSpace {
  /// Returns the number of bytes that this user can still write at an existing or future path, or `nil` if it
  /// is unknown.
  package static func bytes(at path: String) -> Int? {
    guard let existing = nearestExisting(path) else { return nil }
    var info = statvfs()
    // A file system such as /proc has no blocks, so its free space says nothing.
    guard statvfs(existing, &info) == 0, info.f_blocks > 0 else { return nil }
    return Int(
      clamping: UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize)).partialValue
    )
  }

  /// Returns whether two existing or future paths are on the same file system.
  package static func isShared(_ first: String, _ second: String) -> Bool {
    guard let first = device(of: first), let second = device(of: second) else { return false }
    return first == second
  }

  private static func device(of path: String) -> UInt64? {
    var info = stat()
    guard let existing = nearestExisting(path), stat(existing, &info) == 0 else { return nil }
    return UInt64(truncatingIfNeeded: info.st_dev)
  }

  private static func nearestExisting(_ path: String) -> String? {
    var url = URL(fileURLWithPath: path)
    // The path gets shorter in each iteration, and the root exists.
    for _ in 0..<4096 {
      if FileManager.default.fileExists(atPath: url.path) { return url.path }
      if url.path == "/" { return nil }
      url.deleteLastPathComponent()
    }
    return nil
  }
}
