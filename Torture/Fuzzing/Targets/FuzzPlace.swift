import Foundation

@testable import LMDB

/// A directory of this process for the files of targets; it is removed when the process ends by itself.
enum FuzzPlace {
  static let directory: String = {
    let path = FileManager.default.temporaryDirectory.path + "/fief-fuzz-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    atexit { try? FileManager.default.removeItem(atPath: FuzzPlace.directory) }
    return path
  }()

  /// Opens an environment of the directory, which commits nothing to a disk.
  static func environment(_ name: String) throws -> Environment {
    var options = EnvironmentOptions()
    options.mapSize = 16 << 20
    options.durability = .none
    return try Environment.open(directory: "\(directory)/\(name)", options: options)
  }
}

/// Ends a transaction without a commit.
struct FuzzRollback: Error {}
