import Synchronization

/// The environments that this process has open, by the identity of their directories.
///
/// LMDB's locks belong to the process. Opening the same store a second time, and above all closing it, would
/// silently release them. Therefore a process never has a second environment of a store.
final class EnvironmentRegistry: @unchecked Sendable {
  // SAFETY: `entries` is accessed only while the monitor is locked.

  static let shared = EnvironmentRegistry()

  // A class, because arrays of instances need no additional runtime metadata.
  private final class Entry {
    enum State {
      case opening
      case open(Environment, references: Int)
      case closing
    }
    var state: State
    let identity: FileIdentity
    let forkGeneration: UInt32
    /// Keeps other processes out until the store is closed, on systems that need it.
    var claim: ProcessClaim?

    init(_ identity: FileIdentity, forkGeneration: UInt32) {
      state = .opening
      self.identity = identity
      self.forkGeneration = forkGeneration
    }
  }

  private var entries: [Entry] = []
  private let monitor = Monitor()

  func open(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> Environment {
    let identity = directory.identity
    if let existing = try adopt(identity, options) { return existing }
    do throws(LMDBError) {
      let claim = try ProcessClaim.ifNeeded(directory, options)
      let opened = try FileSizeLimit.withoutSignal { () throws(LMDBError) in
        try EnvironmentHandle(directory, options, mapSize: options.mapSize)
      }
      let environment = Environment(directory: directory, options: options, opened: opened)
      do throws(LMDBError) {
        try environment.databases.openExisting(opened.handle)
        try environment.checkPagesLMDBReads()
      } catch {
        environment.closeHandle()
        throw error
      }
      set(identity, .open(environment, references: 1), claim)
      return environment
    } catch {
      set(identity, nil)
      throw error
    }
  }

  func close(_ environment: Environment) {
    monitor.lock()
    guard case .open(let current, let references) = entry(environment.identity)?.state,
      current === environment
    else {
      monitor.unlock()
      return
    }
    if references > 1 {
      entry(environment.identity)?.state = .open(environment, references: references - 1)
      monitor.unlock()
      return
    }
    if environment.isInUseByCaller {
      // The caller would wait for itself. The entry stays until the last transaction has ended.
      entry(environment.identity)?.state = .open(environment, references: 0)
      environment.deferClose()
      monitor.unlock()
      return
    }
    entry(environment.identity)?.state = .closing
    monitor.unlock()
    environment.closeWhenIdle()
    set(environment.identity, nil)
  }

  /// Returns the number of times that an environment is open.
  func references(of environment: Environment) -> Int {
    monitor.lock()
    defer { monitor.unlock() }
    guard case .open(let current, let references) = entry(environment.identity)?.state,
      current === environment
    else { return 0 }
    return references
  }

  /// Marks an environment with a deferred close as closing, unless it was opened again.
  func finishDeferredClose(_ environment: Environment) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    guard case .open(let current, references: 0) = entry(environment.identity)?.state,
      current === environment
    else { return false }
    entry(environment.identity)?.state = .closing
    return true
  }

  func remove(_ environment: Environment) { set(environment.identity, nil) }

  /// Calls `body` while no environment of this process has the directory open or can open it. Returns `nil`
  /// if one has it open.
  func whileClosed<Value>(
    _ identity: FileIdentity,
    _ body: () throws(LMDBError) -> Value
  ) throws(LMDBError) -> Value? {
    guard reserve(identity) else { return nil }
    defer { set(identity, nil) }
    return try body()
  }

  /// Marks a directory as opening. Returns `false` if it is open.
  private func reserve(_ identity: FileIdentity) -> Bool {
    let generation = ForkGuard.generation.load(ordering: .relaxed)
    monitor.lock()
    defer { monitor.unlock() }
    while let entry = entry(identity), entry.forkGeneration == generation {
      if case .open = entry.state { return false }
      monitor.wait()
    }
    entries.removeAll { $0.identity == identity }
    entries.append(Entry(identity, forkGeneration: generation))
    return true
  }

  /// Returns an open environment with one more reference, or `nil` after marking the store as opening.
  private func adopt(
    _ identity: FileIdentity,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> Environment? {
    let generation = ForkGuard.generation.load(ordering: .relaxed)
    monitor.lock()
    defer { monitor.unlock() }
    while let entry = entry(identity), entry.forkGeneration == generation {
      switch entry.state {
      case .opening, .closing: monitor.wait()
      case .open(let environment, let references):
        try environment.checkOffers(options)
        entry.state = .open(environment, references: references + 1)
        if references == 0 { environment.cancelDeferredClose() }
        return environment
      }
    }
    // An entry that is older than the fork belongs to the parent process.
    entries.removeAll { $0.identity == identity }
    entries.append(Entry(identity, forkGeneration: generation))
    return nil
  }

  private func entry(_ identity: FileIdentity) -> Entry? { entries.first { $0.identity == identity } }

  private func set(_ identity: FileIdentity, _ state: Entry.State?, _ claim: ProcessClaim? = nil) {
    monitor.lock()
    if let state {
      let entry = entry(identity)
      entry?.state = state
      entry?.claim = claim
    } else {
      entries.removeAll { $0.identity == identity }
    }
    monitor.broadcast()
    monitor.unlock()
  }
}
