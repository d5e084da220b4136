import Synchronization

extension Environment {
  /// Replaces the data file by a compacted copy while the environment stays open.
  ///
  /// Writers of this process wait in the meantime. Readers wait only during the exchange, in which LMDB's
  /// environment is closed. All users of this environment continue with the new file. The copy is verified
  /// and on the disk before it replaces the file in one step. It replaces the file only if no other process
  /// has the store open and the store has no newer commit than the copy. A crash leaves the old file or the
  /// new one, and perhaps a copy that the next opening removes.
  ///
  /// - Returns: The sizes of the file before and after, in bytes.
  /// - Throws: `inUse` if the calling thread is reading, if other readers of this process do not end within
  ///   `growthTimeout` of the options, or if another process has the store open or keeps writing to it;
  ///   `nestedWrite`, `readOnly`, `diskFull`, `damaged`. The store is then unchanged. `outcomeUnknown` if the
  ///   file was replaced but the directory could not be synchronised: both files have the same state, and
  ///   nothing is committed before the directory is synchronised.
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

  /// Replaces the data file by a copy that a closure makes. The writer lock must be held.
  ///
  /// - Parameter seal: The sealing of the copy's values, if it differs from the current one.
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

  /// - Throws: `inUse` if the calling thread is reading, because it would wait for itself.
  package func checkNotReading() throws(LMDBError) {
    guard readers.isReading(currentThread()) else { return }
    throw LMDBError(
      .inUse,
      "The store cannot be compacted or deleted on a thread that is reading it.",
      path: directory
    )
  }

  /// - Returns: `nil` if the store has another newest commit.
  private func exchange(
    _ copy: String,
    ifAt commit: UInt64,
    _ seal: SealChange?
  ) throws(LMDBError) -> (before: Int, after: Int)? {
    var sizes: (before: Int, after: Int)?
    var failure: LMDBError?
    do throws(LMDBError) {
      try withoutReaders { () throws(LMDBError) in
        // If the file cannot be opened again, the next write tries once more.
        poison()
        closeHandle()
        do throws(LMDBError) {
          sizes = try exchangeClosed(copy, ifAt: commit)
          if sizes != nil, let seal { replaceSealing(seal) }
        } catch {
          failure = error
          if error.code == .outcomeUnknown {
            needsDirectorySynchronisation = true
            // The copy has replaced the file. Only a power cut can still undo its renaming.
            if let seal { replaceSealing(seal) }
          }
        }
        fileEpoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
        reservedEnd = 0
        do throws(LMDBError) { try reopenHandle(verification: .quick) } catch {
          // The file may have been replaced by one with other sealing. The result reports this, and the next
          // write opens it.
          let mayBeReplaced = sizes != nil || failure != nil
          if seal == nil || !mayBeReplaced { throw error }
        }
      }
    } catch {
      guard error.code == .readersBlockGrowth else { throw error }
      throw LMDBError(
        .inUse,
        "Long-running readers of this process prevented the compaction of the store.",
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
    // Opened before the exchange, so that nothing has changed if this fails.
    let place = try openDirectory()
    // The registry contains this environment, so no other environment can open the store in the meantime.
    return try StoreLock.holdingClosed(place) { (lock: ExclusiveLock) throws(LMDBError) in
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
