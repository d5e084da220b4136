import Fief
import Foundation
import LMDB

/// Directories for temporary copies.
package enum MaintenanceDirectory {
  /// The prefixes of their names, for rehearsals and for copies that are renamed when they are complete.
  static let rehearsal = ".rehearsal-"
  static let partial = ".partial-"
  private static let inUse = OwnedLock<[String]>([])

  /// Returns a path that does not exist. It contains the id of this process.
  static func path(in parent: String, prefix: String = rehearsal) -> String {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let path = StoreLocation.joined(parent, "\(prefix)\(getpid())-\(random)")
    note(path)
    return path
  }

  /// Registers a copy to be removed if the process is interrupted.
  static func note(_ path: String) { inUse.withLock { $0.append(path) } }

  /// Removes the copies of this process, which is about to end. It keeps the lock, so that no copy is renamed
  /// meanwhile.
  package static func removeOwn() {
    inUse.withLock { paths in
      for path in paths {
        let (parent, name) = (
          (path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent
        )
        // The name of an unfinished copy has a suffix.
        for other in names(in: parent) where other == name || other.hasPrefix(name + ".partial-") {
          try? FileManager.default.removeItem(atPath: StoreLocation.joined(parent, other))
        }
      }
    }
  }

  /// Removes the copies that killed processes have left.
  static func removeAbandoned(in parent: String) {
    for name in names(in: parent) {
      guard let prefix = [rehearsal, partial].first(where: { name.hasPrefix($0) }) else { continue }
      let digits = name.dropFirst(prefix.count).prefix { $0.isNumber }
      guard let id = pid_t(digits), id > 0 else { continue }
      // A process in another container may have an id that no process of this system has. Its copy is
      // therefore kept for a day.
      guard kill(id, 0) != 0, errno == ESRCH, isOld(StoreLocation.joined(parent, name)) else { continue }
      remove(StoreLocation.joined(parent, name))
    }
  }

  private static func names(in parent: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
  }

  /// Unregisters a complete copy, which is about to be renamed.
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
