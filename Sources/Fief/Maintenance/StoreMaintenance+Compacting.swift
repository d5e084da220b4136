import Foundation
import LMDB

extension StoreMaintenance {
  /// Replaces the store's file by a compacted copy.
  ///
  /// The copy is verified and synchronised, and takes the file's place in one step while no process has the
  /// store open. Where somebody has committed since the copy was begun, it is made anew.
  ///
  /// - Returns: the sizes of the file before and after; nil where there is no store.
  /// - Throws: ``FiefError`` of code `storeInUse` where a process has the store open; `storeFull`. The store
  ///   is then as it was.
  package func compact() throws -> (before: Int, after: Int)? {
    try alone { directory in
      guard FileManager.default.fileExists(atPath: directory) else { return nil }
      try refuseUse(of: directory)
      let copy = MaintenanceDirectory.path(in: (directory as NSString).deletingLastPathComponent)
      defer { MaintenanceDirectory.remove(copy) }
      for _ in 0..<3 {
        let before = try StoreVerifier.newestCommit(of: directory)
        try Self.withEnvironment(directory) { try $0.copy(to: copy) }
        let after = try StoreVerifier.newestCommit(of: copy)
        if try StoreExchange.swapData(of: directory, withCopyIn: copy, ifAt: before.transaction) {
          return (before.fileSize, after.fileSize)
        }
        MaintenanceDirectory.remove(copy)
      }
      throw FiefError(
        .storeInUse,
        "Other processes keep writing to the store.",
        store: name,
        path: directory
      )
    }
  }
}
