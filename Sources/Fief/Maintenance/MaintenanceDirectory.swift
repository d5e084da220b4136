import Foundation

/// Directories for copies that are only needed while something runs.
package enum MaintenanceDirectory {
  private static let prefix = ".rehearsal-"
  private static let inUse = OwnedLock<[String]>([])

  /// A path that does not exist, with the number of this process in it.
  static func path(in parent: String, prefix: String = prefix) -> String {
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let path = StoreLocation.joined(parent, "\(prefix)\(getpid())-\(random)")
    inUse.withLock { $0.append(path) }
    return path
  }

  /// Removes the copies of this process, which is about to end.
  package static func removeOwn() {
    for path in inUse.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Removes what processes left behind that were killed.
  static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let parts = name.dropFirst(prefix.count).split(separator: "-")
      guard parts.count == 2, let id = parts.first.flatMap({ pid_t($0) }), id > 0 else { continue }
      // A process of another container may have the number of none here: its copy is left alone for a day.
      guard kill(id, 0) != 0, errno == ESRCH, isOld(StoreLocation.joined(parent, name)) else { continue }
      remove(StoreLocation.joined(parent, name))
    }
  }

  static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    inUse.withLock { $0.removeAll { $0 == path } }
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
