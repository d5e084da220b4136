import Synchronization

extension Environment {
  /// Puts a compacted copy in the place of the data file, while the environment stays open.
  ///
  /// Writers of this process wait meanwhile, and so do readers for the moment of the exchange, in which
  /// LMDB's environment is closed: all users of this environment continue with the new file. The copy is
  /// verified and on the disk before it replaces the file in one step, while no other process has the store
  /// open and none has written to it since it was copied. A crash leaves the old file or the new one, and a
  /// copy that the next opening removes.
  ///
  /// - Returns: the sizes of the file before and after, in bytes.
  /// - Throws: `inUse` inside of a read of this thread, where other readers of this process do not end within
  ///   `growthTimeout` of the options, where another process has the store open or keeps writing to it; `nestedWrite`,
  ///   `readOnly`, `diskFull`, `damaged`. The store is then as it was. `outcomeUnknown` where the file was replaced and the
  ///   directory could not be synchronised: both files have the same state, and nothing is committed before it is.
  package func compact() throws(LMDBError) -> (before: Int, after: Int) {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    try checkNotReading()
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    return try FileSizeLimit.withoutSignal { () throws(LMDBError) in
      try replaceLocked(thenSealedBy: nil) { (copy: String) throws(LMDBError) in try fillCopy(copy) }
    }
  }

  /// Puts a copy that a closure makes in the place of the data file; the writer lock is held.
  ///
  /// - Parameter seal: what seals the values of the copy, where that is another one than now.
  func replaceLocked(
    thenSealedBy seal: SealChange?,
    _ fill: (String) throws(LMDBError) -> Void
  ) throws(LMDBError) -> (before: Int, after: Int) {
    if isPoisoned { try recover() }
    let copy = try ScratchDirectory.make(beside: directory)
    do throws(LMDBError) {
      for _ in 0..<3 {
        copy.empty()
        let commit = try newestCommit()
        try fill(copy.path)
        if let sizes = try exchange(copy.path, ifAt: commit, seal) {
          copy.removeAll()
          return sizes
        }
      }
    } catch {
      copy.removeAll()
      throw error
    }
    copy.removeAll()
    throw LMDBError(.inUse, "Other processes keep writing to the store.", path: directory)
  }

  /// - Throws: `inUse` where the calling thread reads: a wait for all readers would wait for itself.
  package func checkNotReading() throws(LMDBError) {
    guard readers.isReading(currentThread()) else { return }
    throw LMDBError(
      .inUse,
      "The store cannot be compacted or deleted inside of a read of it, on the thread that reads.",
      path: directory
    )
  }

  /// - Returns: nil where the store has another commit.
  private func exchange(
    _ copy: String,
    ifAt commit: UInt64,
    _ seal: SealChange?
  ) throws(LMDBError) -> (before: Int, after: Int)? {
    var sizes: (before: Int, after: Int)?
    var failure: LMDBError?
    do throws(LMDBError) {
      try withoutReaders { () throws(LMDBError) in
        // Should the file not be opened again, the next write tries once more.
        poison()
        closeHandle()
        do throws(LMDBError) {
          sizes = try exchangeClosed(copy, ifAt: commit)
          if sizes != nil, let seal { replaceSealing(seal) }
        } catch {
          failure = error
          if error.code == .outcomeUnknown {
            needsDirectorySynchronisation = true
            // The file that is there now is the copy; only its name may be lost.
            if let seal { replaceSealing(seal) }
          }
        }
        fileEpoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
        reservedEnd = 0
        do throws(LMDBError) { try reopenHandle(verification: .quick) } catch {
          // A file whose values are sealed otherwise may be in its place: the result says so, and the next write opens it.
          let mayBeReplaced = sizes != nil || failure != nil
          if seal == nil || !mayBeReplaced { throw error }
        }
      }
    } catch {
      guard error.code == .readersBlockGrowth else { throw error }
      throw LMDBError(
        .inUse,
        "Readers of this process that did not end kept the store from being compacted.",
        path: directory,
        detail: error.detail
      )
    }
    if let failure { throw failure }
    return sizes
  }

  private func exchangeClosed(
    _ copy: String,
    ifAt commit: UInt64
  ) throws(LMDBError) -> (before: Int, after: Int)? {
    // Before the exchange, so that nothing has changed where it cannot be opened.
    let place = try openDirectory()
    // The table of open environments has this one, so that no other one is opened meanwhile.
    return try StoreLock.holdingClosed(place) { (lock: HeldLock) throws(LMDBError) in
      let now = try StoreVerifier.newestCommit(in: place)
      guard now.transaction == commit else { return nil }
      let after = try StoreVerifier.newestCommit(of: copy)
      try StoreExchange.replaceData(of: place, byCopyIn: copy, lock)
      return (now.fileSize, after.fileSize)
    }
  }

  /// Whether this process has opened the environment more than once.
  package var isShared: Bool { EnvironmentRegistry.shared.references(of: self) > 1 }
}
