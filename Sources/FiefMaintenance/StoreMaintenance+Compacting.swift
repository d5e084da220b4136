import Fief
import Foundation
import LMDB

extension StoreMaintenance {
  /// Replaces the store's file with a compacted copy.
  ///
  /// The copy is verified and synced. It replaces the file in one step, while no process has the store open.
  /// If a commit occurred after the copy was begun, the copy is made again.
  ///
  /// - Returns: the sizes of the file before and after, or `nil` if the store does not exist.
  /// - Throws: ``FiefError`` of code `storeInUse` if a process has the store open; `storeFull`. The store is
  ///   then unchanged.
  package func compact() throws -> (before: Int, after: Int)? {
    try alone { directory in
      guard FileManager.default.fileExists(atPath: directory) else { return nil }
      try refuseUse(of: directory)
      // The next opening removes the copy that an interrupted compaction has left.
      ScratchDirectory.removeAbandoned(beside: directory)
      var options = EnvironmentOptions()
      options.allowsGroupWritableDirectory = allowsGroup
      options.createsIfMissing = false
      options.maxDatabases = 4096
      options.verification = .full
      let environment = try LMDB.Environment.open(directory: directory, options: options)
      defer { environment.close() }
      return try environment.compact()
    }
  }
}
