#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Returns what an entry of a tree is in a copy; nil where it stays.
package typealias EntryChange = (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> (
  key: [UInt8], value: [UInt8]
)?

extension Environment {
  /// Puts a copy whose values are sealed otherwise in the place of the data file, as ``compact()`` does with one that is the same.
  ///
  /// No page of the old file is left in the new one. Nothing is changed unless all of it is done: a crash leaves the old file or the
  /// new one. The old file's blocks are given back to the file system, which need not overwrite them.
  ///
  /// - Parameters:
  ///   - sealing: what seals the values of the copy, from then on; nil for nothing.
  ///   - changes: returns for trees, by name, what changes each of their entries for the copy.
  ///   - edit: changes the copy in its last commit.
  /// - Returns: the sizes of the file before and after, in bytes.
  /// - Throws: as ``compact()``; `damaged` where a value of the store does not open; `keyExists` where two changed entries get
  ///   the same key; what `changes` and `edit` throw. A new file that is in its
  ///   place and cannot be opened at once is no error: the next write opens it.
  package func rewrite(
    sealedBy sealing: (any ValueSealing)?,
    changing changes: (ReadTransaction) throws -> [String: EntryChange] = { _ in [:] },
    _ edit: (WritableTransaction) throws -> Void
  ) throws -> (before: Int, after: Int) {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    try checkNotReading()
    return try withAllDatabases {
      var failure: (any Error)?
      do {
        return try FileSizeLimit.withoutSignal { () throws(LMDBError) in
          try replaceLocked(thenSealedBy: SealChange(sealing: sealing)) { (copy: String) throws(LMDBError) in
            try fill(copy, sealedBy: sealing, changing: changes, edit, failure: &failure)
          }
        }
      } catch {
        throw failure ?? error
      }
    }
  }

  /// Copies the newest commit into a new directory, as ``copy(to:)``, with values that are sealed otherwise.
  ///
  /// Writers of this process wait meanwhile. The copy's parameters are those of ``rewrite(sealedBy:changing:_:)``.
  /// - Throws: as ``copy(to:)``; `inUse` where another process writes to the store meanwhile; `readOnly`; what `changes` and
  ///   `edit` throw. Nothing is left at the destination then.
  package func copy(
    to destination: String,
    sealedBy sealing: (any ValueSealing)?,
    changing changes: (ReadTransaction) throws -> [String: EntryChange] = { _ in [:] },
    _ edit: (WritableTransaction) throws -> Void
  ) throws {
    guard isSameProcess else { throw LMDBError(.forkedProcess, path: directory) }
    guard !options.isReadOnly else { throw LMDBError(.readOnly, path: directory) }
    try withAllDatabases {
      var failure: (any Error)?
      do {
        try makeCopy(destination) { (partial: String) throws(LMDBError) in
          try fill(partial, sealedBy: sealing, changing: changes, edit, failure: &failure)
        }
      } catch {
        throw failure ?? error
      }
    }
    // Nothing goes on with the keys of the copy.
    sealing?.wipe()
  }

  /// Calls a closure with the writer lock held and all databases open.
  private func withAllDatabases<Value>(_ body: () throws -> Value) throws -> Value {
    // A database is opened by a writer of its own.
    var names: [String] = []
    try read { names = try $0.databaseNames() }
    _ = try openDatabases(names, create: false)
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    return try body()
  }

  /// - Parameter failure: gets an error that is none of LMDB's.
  private func fill(
    _ path: String,
    sealedBy sealing: (any ValueSealing)?,
    changing changes: (ReadTransaction) throws -> [String: EntryChange],
    _ edit: (WritableTransaction) throws -> Void,
    failure: inout (any Error)?
  ) throws(LMDBError) {
    do { try fill(path, sealedBy: sealing, changing: changes, edit) } catch let error as LMDBError {
      throw error
    } catch {
      failure = error
      throw LMDBError(.incompatible)
    }
  }

  /// Fills a directory that is there with a copy, which is then verified and on the disk.
  private func fill(
    _ path: String,
    sealedBy sealing: (any ValueSealing)?,
    changing changes: (ReadTransaction) throws -> [String: EntryChange],
    _ edit: (WritableTransaction) throws -> Void
  ) throws {
    let newest = try newestCommit()
    var settings = options
    settings.durability = .relaxed
    settings.createsIfMissing = true
    settings.reservedBytes = 0
    // No other process has the directory, and a backup may be on another machine.
    settings.allowsRemoteFileSystem = true
    settings.mapSize = mapSize
    settings.maxDatabases = max(settings.maxDatabases, 4096)
    let copy = try Environment.open(directory: path, options: settings)
    // This environment goes on with what seals the copy.
    copy.handOverSealing()
    do {
      if let sealing { _ = try copy.seal(with: sealing) }
      // A read that lasts would keep all that it has opened. The writer lock is held; a commit of another process is found.
      var names: [String] = []
      var changed: [String: EntryChange] = [:]
      try read { source throws in
        names = try source.databaseNames()
        changed = try changes(source)
      }
      for name in names { try copyTree(named: name, to: copy, at: newest, changing: changed[name]) }
      try copy.write(edit)
      try copy.sync()
    } catch {
      copy.close()
      throw error
    }
    copy.close()
    unlink(path + "/" + StoreDirectory.lockName)
    try finishCopy(path, after: newest)
  }
}

extension Environment {
  /// The number of bytes of values in one commit of a copy, about.
  private static var bytesOfCommit: Int { 8 << 20 }

  /// - Throws: `inUse` where another process has committed since `commit`.
  private func copyTree(
    named name: String,
    to copy: Environment,
    at commit: UInt64,
    changing change: EntryChange?
  ) throws {
    _ = try copy.openDatabases([name], create: true)
    var next: [UInt8]? = []
    while let start = next {
      next = try read { source throws in
        source.noteOrigin("a copy of the store", line: 0)
        guard source.id == commit else {
          throw LMDBError(
            .inUse,
            "Another process has written to the store while it was copied.",
            path: directory
          )
        }
        guard let tree = try source.database(named: name) else { return nil }
        return try source.copyPart(of: tree, from: start, to: copy, name, atMost: Self.bytesOfCommit, change)
      }
    }
  }
}

extension ReadTransaction {
  /// - Returns: the key of the next part; nil at the end.
  fileprivate func copyPart(
    of tree: Database,
    from start: [UInt8],
    to copy: Environment,
    _ name: String,
    atMost limit: Int,
    _ change: EntryChange?
  ) throws -> [UInt8]? {
    // The write may run again, where the map has to grow.
    try copy.write { transaction throws in
      guard let target = try transaction.database(named: name) else { return nil }
      let writer = try transaction.writeCursor(target)
      let cursor = try self.cursor(tree)
      guard try start.withUnsafeBytes({ try cursor.seek(atOrAfter: $0) }) else { return nil }
      var bytes = 0
      while bytes < limit {
        if let (key, value) = try change?(cursor.key, cursor.value) {
          let isNew = try key.withUnsafeBytes { key in
            try value.withUnsafeBytes { try writer.putIfAbsent(key, $0) }
          }
          // One entry would take the place of another one.
          if !isNew { throw LMDBError(.keyExists, path: environment.directory) }
        } else {
          try writer.put(cursor.key, cursor.value)
        }
        bytes += cursor.key.count + cursor.value.count
        guard try cursor.next() else { return nil }
      }
      return Array(cursor.key)
    }
  }
}
