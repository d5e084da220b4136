import Fief
import Foundation
import LMDB

extension StoreMaintenance {
  /// Replaces the store's file by a compacted copy.
  ///
  /// The copy is verified and synchronised, and takes the file's place in one step while no process has the
  /// store open. After a commit since the copy was begun it is made again.
  ///
  /// - Returns: the sizes of the file before and after; nil where there is no store.
  /// - Throws: ``FiefError`` of code `storeInUse` where a process has the store open; `storeFull`. The store
  ///   is then as it was.
  package func compact() throws -> (before: Int, after: Int)? {
    try alone { directory in
      guard FileManager.default.fileExists(atPath: directory) else { return nil }
      try refuseUse(of: directory)
      // The copy that an interrupted compaction leaves is removed by the next opening.
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
