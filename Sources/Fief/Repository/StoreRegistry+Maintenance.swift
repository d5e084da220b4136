import Foundation
import LMDB

extension StoreRegistry {
  /// Closes a store and deletes its directory.
  func delete(_ repository: some DatabaseConfigurable) throws {
    close(repository)
    guard repository.realmMemoryType == .inStorage else { return }
    let directory = try storageDirectory(of: repository)
    guard FileManager.default.fileExists(atPath: directory) else { return }
    try StoreLocation.removeDirectory(directory)
  }

  /// Replaces a store's file by a compacted copy of it.
  func compact(_ repository: some DatabaseConfigurable) throws {
    let core = try store(for: repository).core()
    guard !core.isInMemory else { return }
    let directory = core.directory
    let copy = directory + ".compact"
    defer { try? StoreLocation.removeDirectory(copy) }
    do throws(any Error) {
      if FileManager.default.fileExists(atPath: copy) { try StoreLocation.removeDirectory(copy) }
      // The store is closed inside of a turn of its queue, so that no commit of this process falls between
      // the copy and the exchange: writes that wait find the store closed.
      try core.queue().withTurn(isWrite: false) {
        try core.environment.copy(to: copy)
        close(repository)
      }
      try StoreExchange.replaceData(of: directory, byCopyIn: copy)
    } catch {
      throw core.described(error)
    }
  }
}
