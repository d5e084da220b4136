import Foundation
import LMDB

extension StoreRegistry {
  /// Closes a store and deletes its directory.
  func delete(_ repository: some DatabaseConfigurable) throws {
    let directory = try storageDirectory(of: repository)
    try checkNoWrite(openCore(directory))
    guard repository.realmMemoryType == .inStorage else {
      close(repository)
      return
    }
    try gate(directory).enter(store: repository.schemaName) {
      close(repository)
      guard FileManager.default.fileExists(atPath: directory) else { return }
      try StoreLocation.removeDirectory(directory)
    }
  }

  /// Replaces a store's file by a compacted copy of it.
  func compact(_ repository: some DatabaseConfigurable) throws {
    let core = try store(for: repository).core()
    guard !core.isInMemory else { return }
    try checkNoWrite(core)
    // Nobody opens the store between its close and the exchange: writes to the old file would be lost.
    try gate(core.directory).enter(store: core.name) {
      do { try exchange(core, repository) } catch { throw core.described(error) }
    }
  }

  private func exchange(_ core: StoreCore, _ repository: some DatabaseConfigurable) throws {
    let directory = core.directory
    let copy = directory + ".compact"
    defer { try? StoreLocation.removeDirectory(copy) }
    if FileManager.default.fileExists(atPath: copy) { try StoreLocation.removeDirectory(copy) }
    // The store is closed inside of a turn of its queue, so that no commit of this process falls between
    // the copy and the exchange: writes that wait find the store closed.
    try core.queue().withTurn(isWrite: false) {
      try core.environment.copy(to: copy)
      close(repository)
    }
    try StoreExchange.replaceData(of: directory, byCopyIn: copy)
  }

  /// A write that waited for the gate would keep the one at the gate waiting for its turn.
  private func checkNoWrite(_ core: StoreCore?) throws {
    guard let core, core.activeWrite != nil else { return }
    throw FiefError(
      .nestedWrite,
      "A store cannot be replaced or deleted inside of a write to it.",
      store: core.name
    )
  }
}
