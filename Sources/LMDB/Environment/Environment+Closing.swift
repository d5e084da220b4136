import CLMDB
import Synchronization

extension Environment {
  func checkOffers(_ wanted: EnvironmentOptions) throws(LMDBError) {
    guard wanted.isReadOnly || !options.isReadOnly else {
      throw LMDBError(.openOtherwise, "This process has the store open for reading only.", path: directory)
    }
    guard options.durability.strength >= wanted.durability.strength else {
      throw LMDBError(
        .openOtherwise,
        "This process has the store open with less durability.",
        path: directory
      )
    }
  }

  var isInUseByCaller: Bool { writer.isHeldByCaller || readers.isReading(currentThread()) }

  /// Refuses new transactions. The end of the last transaction then closes the environment.
  func deferClose() {
    isCloseDeferred.store(true, ordering: .sequentiallyConsistent)
    readers.shut(ReaderPool.Gate.ended)
  }

  func cancelDeferredClose() {
    isCloseDeferred.store(false, ordering: .sequentiallyConsistent)
    readers.reopen(ReaderPool.Gate.ended)
  }

  /// Completes a deferred close if nothing uses the environment any more.
  func closeIfDeferred() {
    while isCloseDeferred.load(ordering: .sequentiallyConsistent), readers.isIdle, writer.tryAcquire() {
      if readers.isIdle, EnvironmentRegistry.shared.finishDeferredClose(self) {
        isCloseDeferred.store(false, ordering: .sequentiallyConsistent)
        closeHandle()
        wipeSealing()
        writer.release()
        EnvironmentRegistry.shared.remove(self)
        return
      }
      writer.release()
    }
  }

  /// Waits for every transaction of this process, and closes.
  func closeWhenIdle() {
    readers.shut(ReaderPool.Gate.ended)
    keptReads.endAll()
    // The writer lock is not taken yet, because a reader may be waiting for it. That reader then finds the
    // store closed, and no new reader begins.
    _ = readers.waitUntilIdle(timeout: nil)
    // The caller is not the writer, which the registry has checked.
    guard (try? writer.acquire()) != nil else { return }
    closeHandle()
    wipeSealing()
    writer.release()
  }

  /// Closes LMDB's environment. The writer lock must be held, the gate shut, and no reader active.
  func closeHandle() {
    guard let handle else { return }
    forgetMap()
    readers.removeAll { mdb_txn_abort($0) }
    mdb_env_close(handle)
    self.handle = nil
    lastWithoutRecord = 0
  }
}

extension Durability {
  var strength: Int {
    switch self {
    case .full: 2
    case .relaxed: 1
    case .none: 0
    }
  }
}
