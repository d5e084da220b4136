import LMDB

extension StoreCore {
  /// Reports a reader that keeps much of the file from being used again; called after a commit.
  ///
  /// It costs a load of a number as long as it is not time to look. The look and the report are done on the delivery
  /// thread: the caller has a turn of the write queue.
  func lookForLongReader() {
    guard environment.isReaderLookDue, !isClosed else { return }
    completions.perform {
      // What cannot be looked at now is looked at another time.
      guard !self.isClosed, let found = (try? self.environment.longReader()) ?? nil else { return }
      let reader = StoreReader(found.reader)
      self.emit(
        .longReader(store: self.name, reader, heldBytes: found.heldBytes, fileBytes: found.fileBytes)
      )
    }
  }

  /// Reports the failures of the environment that no call throws, on the delivery thread: the thread that finds one may hold the writer.
  func reportFailures() {
    // A weak reference to the store would make each retain of it, and a read has several, take a detour.
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
