import LMDB

extension StoreCore {
  /// Reports a reader that prevents much of the file from being reused. Called after a commit.
  ///
  /// It costs one load of a number unless a search is due. The search and the report run on the delivery
  /// thread, because the caller still has its turn in the write queue.
  func lookForLongReader() {
    guard environment.isReaderLookDue, !isClosed else { return }
    completions.perform {
      // If the search fails, it is repeated later.
      guard !self.isClosed, let found = (try? self.environment.longReader()) ?? nil else { return }
      let reader = StoreReader(found.reader)
      self.emit(
        .longReader(store: self.name, reader, heldBytes: found.heldBytes, fileBytes: found.fileBytes)
      )
    }
  }

  /// Reports failures of the environment that no call throws. The reports are sent on the delivery thread,
  /// because the thread that finds a failure may hold the writer lock.
  func reportFailures() {
    // A weak reference to the store would make every retain of it slower, and a read has several retains.
    let (name, completions, reporter) = (name, completions, reporter)
    environment.onFailure { error in
      completions.perform {
        var error = FiefError(error)
        error.store = name
        reporter.send(.maintenanceFailed(store: name, error: error))
      }
    }
  }
}
