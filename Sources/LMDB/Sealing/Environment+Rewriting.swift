#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Returns the entry for a copy in place of an entry of a tree, or `nil` to keep the entry.
package typealias EntryChange = (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> (
  key: [UInt8], value: [UInt8]
)?

extension Environment {
  /// Replaces the data file by a copy with another sealing, in the same way as ``compact()``.
  ///
  /// The new file contains no page of the old file. The change is complete or not made at all: a crash leaves
  /// the old file or the new one. The old file's blocks are returned to the file system, which need not
  /// overwrite them.
  ///
  /// - Parameters:
  ///   - sealing: Seals the values of the copy and all later values; `nil` for no sealing.
  ///   - changes: Returns the changes of entries for the copy, by the names of their trees.
  ///   - edit: Changes the copy in its last commit.
  /// - Returns: The sizes of the file before and after, in bytes.
  /// - Throws: The errors of ``compact()``; `damaged` if a value of the store does not open; `keyExists` if
  ///   two changed entries get the same key; any error of `changes` and `edit`. It is not an error if the new
  ///   file is in place and cannot be opened immediately: the next write opens it.
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

  /// Copies the newest commit into a new directory, as ``copy(to:)`` does, with another sealing.
  ///
  /// Writers of this process wait in the meantime. For the other parameters, see
  /// ``rewrite(sealedBy:changing:_:)``.
  ///
  /// - Throws: The errors of ``copy(to:)``; `inUse` if another process writes to the store in the meantime;
  ///   `readOnly`; any error of `changes` and `edit`. Nothing is then left at the destination.
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
    // Nothing uses the keys of the copy any more.
    sealing?.wipe()
  }

  /// Calls `body` with the writer lock held and all databases open.
  private func withAllDatabases<Value>(_ body: () throws -> Value) throws -> Value {
    // Opening a database takes the writer lock itself.
    var names: [String] = []
    try read { names = try $0.databaseNames() }
    _ = try openDatabases(names, create: false)
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    return try body()
  }

  /// - Parameter failure: Receives an error that is not an ``LMDBError``.
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

  /// Fills an existing directory with a copy, verifies it, and synchronises it to the disk.
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
    // No other process uses the directory, and a backup may be on another machine.
    settings.allowsRemoteFileSystem = true
    settings.isPrivateToProcess = true
    settings.mapSize = mapSize
    settings.maxDatabases = max(settings.maxDatabases, 4096)
    let copy = try Environment.open(directory: path, options: settings)
    // This environment continues to use the sealing of the copy.
    copy.handOverSealing()
    do {
      if let sealing { _ = try copy.seal(with: sealing) }
      // One long read would keep all values that it has opened. The writer lock is held, and a commit of
      // another process is detected.
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
  /// The approximate number of bytes of values in one commit of a copy.
  private static var bytesOfCommit: Int { 8 << 20 }

  /// - Throws: `inUse` if another process has committed since `commit`.
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
            "Another process wrote to the store while it was copied.",
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
  /// - Returns: The key of the next part, or `nil` at the end.
  fileprivate func copyPart(
    of tree: Database,
    from start: [UInt8],
    to copy: Environment,
    _ name: String,
    atMost limit: Int,
    _ change: EntryChange?
  ) throws -> [UInt8]? {
    // The write may run again if the map must grow.
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
          // One entry would replace another one.
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
