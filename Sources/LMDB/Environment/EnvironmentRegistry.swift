/// The environments this process has open, by the identity of their directories.
///
/// LMDB's locks belong to the process: a second open of the same store, and above all its close, would
/// drop them silently. So there is never a second one.
final class EnvironmentRegistry: @unchecked Sendable {
  // SAFETY: `entries` is only touched with the monitor locked.

  static let shared = EnvironmentRegistry()

  // A class, since tables of instances need nothing of the runtime.
  private final class Entry {
    enum State {
      case opening
      case open(Environment, references: Int)
      case closing
    }
    var state: State
    let forkGeneration: UInt32

    init(forkGeneration: UInt32) {
      state = .opening
      self.forkGeneration = forkGeneration
    }
  }

  private var entries = SortedTable<FileIdentity, Entry>()
  private let monitor = Monitor()

  func open(
    _ directory: borrowing StoreDirectory,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> Environment {
    let identity = directory.identity
    if let existing = try adopt(identity, options) { return existing }
    do throws(LMDBError) {
      let opened = try OpenedHandle(directory, options, mapSize: options.mapSize)
      let environment = Environment(directory: directory, options: options, opened: opened)
      environment.databases.openExisting(opened.handle)
      set(identity, .open(environment, references: 1))
      return environment
    } catch {
      set(identity, nil)
      throw error
    }
  }

  func close(_ environment: Environment) {
    monitor.lock()
    guard case .open(let current, let references) = entries[environment.identity]?.state,
      current === environment
    else {
      monitor.unlock()
      return
    }
    if references > 1 {
      entries[environment.identity]?.state = .open(environment, references: references - 1)
      monitor.unlock()
      return
    }
    if environment.isInUseByCaller {
      // The caller would wait for itself. The entry stays until the last transaction has ended.
      entries[environment.identity]?.state = .open(environment, references: 0)
      environment.deferClose()
      monitor.unlock()
      return
    }
    entries[environment.identity]?.state = .closing
    monitor.unlock()
    environment.closeWhenIdle()
    set(environment.identity, nil)
  }

  /// Takes an environment whose close was deferred out of the registry, unless it was opened again.
  func finishDeferredClose(_ environment: Environment) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    guard case .open(let current, references: 0) = entries[environment.identity]?.state,
      current === environment
    else { return false }
    entries[environment.identity]?.state = .closing
    return true
  }

  func remove(_ environment: Environment) { set(environment.identity, nil) }

  /// Returns an open environment with one more reference, or nil after marking the store as opening.
  private func adopt(
    _ identity: FileIdentity,
    _ options: EnvironmentOptions
  ) throws(LMDBError) -> Environment? {
    let generation = ForkGuard.generation.load(ordering: .relaxed)
    monitor.lock()
    defer { monitor.unlock() }
    while let entry = entries[identity], entry.forkGeneration == generation {
      switch entry.state {
      case .opening, .closing: monitor.wait()
      case .open(let environment, let references):
        try environment.checkOffers(options)
        entries[identity]?.state = .open(environment, references: references + 1)
        if references == 0 { environment.cancelDeferredClose() }
        return environment
      }
    }
    entries[identity] = Entry(forkGeneration: generation)
    return nil
  }

  private func set(_ identity: FileIdentity, _ state: Entry.State?) {
    monitor.lock()
    if let state {
      entries[identity]?.state = state
    } else {
      entries[identity] = nil
    }
    monitor.broadcast()
    monitor.unlock()
  }
}
