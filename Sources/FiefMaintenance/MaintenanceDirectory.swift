import Fief
import Foundation
import LMDB

/// Directories for copies that are only needed while something runs.
package enum MaintenanceDirectory {
  /// The beginnings of their names: trials, and copies that get another name when they are complete.
  static let rehearsal = ".rehearsal-"
  static let partial = ".partial-"
  private static let inUse = OwnedLock<[String]>([])

  /// A path that does not exist, with the number of this process in it.
  static func path(in parent: String, prefix: String = rehearsal) -> String {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let path = StoreLocation.joined(parent, "\(prefix)\(getpid())-\(random)")
    note(path)
    return path
  }

  /// Adds a copy to those that are removed when the process is interrupted.
  static func note(_ path: String) { inUse.withLock { $0.append(path) } }

  /// Removes the copies of this process, which is about to end. None of them gets a name meanwhile.
  package static func removeOwn() {
    inUse.withLock { paths in
      for path in paths {
        let (parent, name) = (
          (path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent
        )
        // A copy that is being written has a longer name.
        for other in names(in: parent) where other == name || other.hasPrefix(name + ".partial-") {
          try? FileManager.default.removeItem(atPath: StoreLocation.joined(parent, other))
        }
      }
    }
  }

  /// Removes what processes left behind that were killed.
  static func removeAbandoned(in parent: String) {
    for name in names(in: parent) {
      guard let prefix = [rehearsal, partial].first(where: { name.hasPrefix($0) }) else { continue }
      let digits = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let id = pid_t(digits), id > 0 else { continue }
      // A process of another container may have the number of none here: its copy is left alone for a day.
      guard kill(id, 0) != 0, errno == ESRCH, isOld(StoreLocation.joined(parent, name)) else { continue }
      remove(StoreLocation.joined(parent, name))
    }
  }

  private static func names(in parent: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
  }

  /// Takes a complete copy out of those that may be removed, since it gets another name now.
  static func release(_ path: String) { inUse.withLock { $0.removeAll { $0 == path } } }

  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    release(path)
  }

  /// Whether nothing in a directory was changed for a day.
  static func isOld(_ path: String) -> Bool {
    var info = stat()
    guard lstat(path, &info) == 0 else { return false }
    return time(nil) - time_t(MaintenanceDirectory.modified(info)) > 86_400
  }

  private static func modified(_ info: stat) -> Int {
    #if canImport(Darwin)
      info.st_mtimespec.tv_sec
    #else
      info.st_mtim.tv_sec
    #endif
  }
}
