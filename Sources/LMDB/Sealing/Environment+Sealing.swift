import CLMDB
import Synchronization

/// The sealing of an environment: what seals, its trees by their slots, and what was opened of them.
struct SealingState {
  var sealing: (any ValueSealing)?
  /// What has sealed the values of the files before this one.
  var former: [any ValueSealing] = []
  /// Whether another environment goes on with `sealing`, whose keys stay when this one is closed.
  var isHandedOver = false
  var trees: [UInt32: (generation: UInt32, tree: SealedTree?)] = [:]
  /// All trees that there were: transactions refer to them without holding them.
  var all: [SealedTree] = []
  var opened: OpenedPages?
}

extension Environment {
  /// The failure of an environment that reads more slowly, because the process has too little address space.
  static func noAddressSpace(_ directory: String) -> LMDBError {
    LMDBError(
      .noMemory,
      "The process has too little address space to keep what it has found out about pages: each read does it again.",
      path: directory
    )
  }
}

/// What seals the values of the file that takes the place of another one; nil for nothing.
struct SealChange {
  let sealing: (any ValueSealing)?
}

extension Environment {
  /// Seals the values of trees from now on; those that are in them have to be sealed already.
  ///
  /// To be called before any of the values is read or written. A second call changes nothing.
  /// - Parameter isRight: whether `sealing` is what the values in the file are sealed with; the file is not exchanged meanwhile. By
  ///   default it is.
  /// - Returns: what seals the values: `sealing`, or that of the first call; nil where it is not the right one.
  /// - Throws: `readersBlockGrowth` where readers of this process do not end: they would read on without the seal; what
  ///   `isRight` throws.
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
      // Readers forget the trees that they know, which have no seal.
      mapEpoch &+= 1
    }
    return sealing
  }

  /// Takes what seals the values of another file; no reader is active, and the writer lock is held.
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

  /// What seals the values of trees; nil where nothing does.
  package var sealing: (any ValueSealing)? {
    isSealed.load(ordering: .acquiring) ? sealingState.withLock { $0.sealing } : nil
  }

  /// The seal of a database; nil where none of its values is sealed. The environment keeps what it returns.
  ///
  /// - Parameter name: the name of the database, which is asked for once.
  /// - Throws: `notFound` where nothing knows the name: a value must not be written in clear for that.
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

  /// The opened pages for a new user, who has to end the use; nil where there can be none.
  ///
  /// - Parameter commit: that of the user, who is active.
  func useOpenedPages(at commit: UInt64) -> OpenedPages? {
    guard handle != nil else { return nil }
    let used: Int
    do throws(LMDBError) { used = try usedBytes() } catch {
      reportOnce(error)
      return nil
    }
    let opened: OpenedPages? = sealingState.withLock { state in
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

  /// Makes memory for the pages of the map, or of the file if there is too little address space.
  ///
  /// - Parameter used: the size of the file in bytes.
  private func makeOpenedPages(at commit: UInt64, used: Int) -> OpenedPages? {
    guard let handle else { return nil }
    var sizes = MDB_stat()
    mdb_env_stat(handle, &sizes)
    let map = OpenedHandle.mapSize(of: handle)
    for size in [map, 2 * used, used] where size <= map {
      let made = OpenedPages(
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
  func covers(_ pages: OpenedPages) -> Bool {
    guard pages.isPart else { return true }
    guard let used = try? usedBytes() else { return false }
    return used <= pages.notes.count * pages.notes.pageSize
  }

  /// The opened pages, if there are any.
  var knownOpenedPages: OpenedPages? {
    isSealed.load(ordering: .acquiring) ? sealingState.withLock { $0.opened } : nil
  }

  /// Forgets what was opened, as the map or the file is another one; no reader is active.
  func forgetOpenedPages() {
    let sealing = sealingState.withLock { state in
      state.opened?.retire()
      state.opened = nil
      return state.sealing
    }
    sealing?.forget()
  }

  /// Leaves the keys as they are when the environment is closed: another one seals with them.
  func handOverSealing() { sealingState.withLock { $0.isHandedOver = true } }

  /// Wipes all keys; the environment is closed for good, and nothing uses it.
  func wipeSealing() {
    let (sealing, former) = sealingState.withLock { ($0.isHandedOver ? nil : $0.sealing, $0.former) }
    sealing?.wipe()
    for sealing in former { sealing.wipe() }
  }
}
