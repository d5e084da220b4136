import Foundation
import LMDB

extension StoreRegistry {
  /// Closes a store and deletes its directory.
  func delete(_ repository: some DatabaseConfigurable) throws {
    let directory = try storageDirectory(of: repository)
    let core = openCore(directory)
    try core?.checkNoWrite()
    guard repository.realmMemoryType == .inStorage else {
      close(repository)
      return
    }
    // A handler may use the repository, which would wait at the gate, so handlers are called afterwards.
    defer { if core?.isClosed == true { core?.completions.finish() } }
    do {
      try core?.environment.checkNotReading()
      try gate(directory).enter(store: repository.schemaName) {
        close(repository, callsHandlers: false)
        try StoreExchange.delete(
          directory,
          allowsGroup: repository.storeOptions.allowsGroupWritableDirectory
        )
      }
    } catch {
      throw FiefError.described(error, store: repository.storeName)
    }
  }

  /// Whether a repository's store is open or has files.
  func exists(_ repository: some DatabaseConfigurable) throws -> Bool {
    let key = try storageDirectory(of: repository)
    if let core = openCore(key), !core.isClosed { return true }
    guard repository.realmMemoryType == .inStorage else { return false }
    // A store that has lost its data file is damaged, but exists.
    for name in ["data.mdb", "store.manifest"] {
      do {
        _ = try FileManager.default.attributesOfItem(atPath: StoreLocation.joined(key, name))
        return true
      } catch CocoaError.fileNoSuchFile, CocoaError.fileReadNoSuchFile {
        continue
      } catch {
        throw FiefError(
          .cannotOpen,
          "The store's files cannot be inspected.",
          store: repository.storeName,
          underlying: error
        )
      }
    }
    return false
  }

  /// Replaces a store's file by a compacted copy.
  func compact(_ repository: some DatabaseConfigurable) throws {
    let core = try store(for: repository).core()
    guard !core.isInMemory else { return }
    try core.prepareReplacement()
    do { _ = try core.environment.compact() } catch { throw core.described(error) }
  }
}
