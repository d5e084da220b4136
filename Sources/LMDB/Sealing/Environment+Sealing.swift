import CLMDB
import Synchronization

/// The sealing of an environment, its trees by their slots, and the opened pages.
struct SealingState {
  var sealing: (any ValueSealing)?
  /// The sealings of the values in previous files.
  var former: [any ValueSealing] = []
  /// Whether another environment continues to use `sealing`, so that closing this environment keeps its keys.
  var isHandedOver = false
  var trees: [UInt32: (generation: UInt32, tree: SealedTree?)] = [:]
  /// All trees so far. They are kept because transactions refer to them without retaining them.
  var all: [SealedTree] = []
  var opened: DecryptedPages?
}

extension Environment {
  /// Returns the error of an environment that reads more slowly because the process has too little address
  /// space.
  static func noAddressSpace(_ directory: String) -> LMDBError {
    LMDBError(
      .noMemory,
      "The process has too little address space to cache page information: each read computes it again.",
      path: directory
    )
  }
}

/// The sealing of a file that replaces another one; `nil` for no sealing.
struct SealChange {
  let sealing: (any ValueSealing)?
}

extension Environment {
  /// Seals the values of trees from now on. Existing values must already be sealed.
  ///
  /// Must be called before any of the values is read or written. A second call has no effect.
  ///
  /// - Parameter isRight: Returns whether `sealing` matches the values in the file, which is not replaced in
  ///   the meantime. Returns `true` by default.
  /// - Returns: The sealing in use: `sealing`, or the sealing of the first call. `nil` if `sealing` does not
  ///   match.
  /// - Throws: `readersBlockGrowth` if readers of this process do not end, because they would continue to
  ///   read without the sealing; any error of `isRight`.
  package func seal(
    with sealing: any ValueSealing,
    if isRight: (ReadTransaction) throws -> Bool = { _ in true }
  ) throws -> (any ValueSealing)? {
    if let known = self.sealing { return known }
    try writer.acquire()
    defer { releaseWriter() }
    if let known = self.sealing { return known }
    guard try read({ try isRight($0) }) else { return nil }
    try withoutReaders { () throws(LMDBError) in
      replaceSealing(SealChange(sealing: sealing))
      // Readers forget the trees that they know, which have no sealing.
      mapEpoch &+= 1
    }
    return sealing
  }

  /// Sets the sealing of another file. No reader may be active, and the writer lock must be held.
  func replaceSealing(_ change: SealChange) {
    let former = sealingState.withLock { state in
      let former = state.sealing
      if let former { state.former.append(former) }
      state.sealing = change.sealing
      state.trees = [:]
      state.opened?.retire()
      state.opened = nil
      return former
    }
    commitSeal = nil
    former?.forget()
    former?.wipeValueKeys()
    isSealed.store(change.sealing != nil, ordering: .releasing)
  }

  /// The sealing of the values of trees, or `nil` if they are not sealed.
  package var sealing: (any ValueSealing)? {
    isSealed.load(ordering: .acquiring) ? sealingState.withLock { $0.sealing } : nil
  }

  /// Returns the sealed tree of a database, or `nil` if it has no sealed values. The environment keeps
  /// the result alive.
  ///
  /// - Parameter name: Returns the name of the database. Called at most once.
  /// - Throws: `notFound` if the name is unknown, because a value must not be written in clear for that
  ///   reason.
  func sealedTree(_ database: Database, named name: () -> String?) throws(LMDBError) -> SealedTree? {
    let known = sealingState.withLock { state in
      state.trees[database.slot].flatMap { $0.generation == database.generation ? $0 : nil }
    }
    if let known { return known.tree }
    guard let name = name() else { throw LMDBError(.notFound, "The database was dropped.") }
    return sealingState.withLock { state in
      guard let sealing = state.sealing else { return nil }
      let tree = SealedTree(named: name, sealing)
      state.trees[database.slot] = (database.generation, tree)
      if let tree { state.all.append(tree) }
      return tree
    }
  }

  /// Begins a use of the opened pages, which the caller must end. Returns `nil` if there cannot be opened
  /// pages.
  ///
  /// - Parameter commit: The commit of the user, who must be active.
  func useOpenedPages(at commit: UInt64) -> DecryptedPages? {
    guard handle != nil else { return nil }
    let used: Int
    do throws(LMDBError) { used = try usedBytes() } catch {
      reportOnce(error)
      return nil
    }
    let opened: DecryptedPages? = sealingState.withLock { state in
      if let opened = state.opened {
        if !opened.isFull, covers(opened), opened.use() { return opened }
        opened.retire()
        state.opened = nil
      }
      guard let made = makeOpenedPages(at: commit, used: used), made.use() else { return nil }
      state.opened = made
      return made
    }
    if opened == nil { reportOnce(Self.noAddressSpace(directory)) }
    return opened
  }

  /// Creates memory for the pages of the map, or of the file if there is too little address space.
  ///
  /// - Parameter used: The size of the file in bytes.
  private func makeOpenedPages(at commit: UInt64, used: Int) -> DecryptedPages? {
    guard let handle else { return nil }
    var sizes = MDB_stat()
    mdb_env_stat(handle, &sizes)
    let map = EnvironmentHandle.mapSize(of: handle)
    for size in [map, 2 * used, used] where size <= map {
      let made = DecryptedPages(
        size: size,
        isPart: size < map,
        pageSize: Int(sizes.ms_psize),
        at: commit,
        limit: options.openedPagesLimit
      )
      if let made { return made }
    }
    return nil
  }

  /// Whether opened pages have room for all pages of the newest commit.
  func covers(_ pages: DecryptedPages) -> Bool {
    guard pages.isPart else { return true }
    guard let used = try? usedBytes() else { return false }
    return used <= pages.notes.count * pages.notes.pageSize
  }

  /// The opened pages, if there are any.
  var knownOpenedPages: DecryptedPages? {
    isSealed.load(ordering: .acquiring) ? sealingState.withLock { $0.opened } : nil
  }

  /// Discards the opened pages and values because the map or the file has changed. No reader may be active.
  func forgetOpenedPages() {
    let sealing = sealingState.withLock { state in
      state.opened?.retire()
      state.opened = nil
      return state.sealing
    }
    sealing?.forget()
  }

  /// Keeps the keys when the environment is closed, because another environment uses them.
  package func handOverSealing() { sealingState.withLock { $0.isHandedOver = true } }

  /// Wipes all keys. The environment is closed for good, and nothing uses it.
  func wipeSealing() {
    let (sealing, former) = sealingState.withLock { ($0.isHandedOver ? nil : $0.sealing, $0.former) }
    sealing?.wipe()
    for sealing in former { sealing.wipe() }
  }
}
