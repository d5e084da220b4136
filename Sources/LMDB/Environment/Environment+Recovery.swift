import CLMDB

extension Environment {
  /// Closes and opens LMDB's environment again; the writer lock is held and no reader is active.
  ///
  /// When that fails the environment is poisoned until a later write succeeds in reopening it.
  func reopenHandle() throws(LMDBError) {
    closeHandle()
    do throws(LMDBError) {
      let place = try StoreDirectory(path: directory, creating: false)
      guard place.identity == identity else {
        throw LMDBError(.poisoned, "The store's directory was replaced.", path: directory)
      }
      var again = options
      again.createsIfMissing = false
      let opened = try OpenedHandle(place, again, mapSize: mapSize)
      handle = opened.handle
      mapSize = opened.mapSize
      databases.reopenAll(opened.handle)
      isPoisoned = false
    } catch {
      isPoisoned = true
      throw error
    }
  }
}
