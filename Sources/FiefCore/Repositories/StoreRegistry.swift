import LMDB

/// The open stores of the process. Each store has one handle, even if several repositories describe it.
package final class StoreRegistry: Sendable {
  package static let shared = {
    let registry = StoreRegistry()
    JointSide.openStores.withLock {
      $0 = StoredFunction { !registry.openCores(inDirectory: $0).isEmpty }
    }
    #if !canImport(ObjectiveC)
      PersistedFields.reader.withLock { $0 = StoredFunction { DescribedFields.of($0) } }
    #endif
    return registry
  }()

  /// Refers to conformances so that the linker keeps them; see ``ConformanceReferences``. This method is
  /// never called. It is in this file because every program that opens a store links the file. It is visible
  /// outside of the module so that the optimizer keeps it.
  package static func bringConformances() -> [Any.Type] { ConformanceReferences.ofStores }

  // SAFETY: the owner is only referred to weakly and compared; nothing is called on it.
  final class Entry: KeyedInstance, @unchecked Sendable {
    let key: String
    let store: Store
    let core: StoreCore
    /// The repository that determines the lifetime of an in-memory store without an identifier.
    private(set) weak var owner: AnyObject?
    let hasOwner: Bool
    /// The type of the repository that opened the store.
    let opener: Any.Type
    /// The lists of classes that were compared with the store's classes and found valid.
    private let accepted = OwnedLock<[AcceptedClasses]>([])

    /// A list of classes and its handle. It is a class because the runtime need not instantiate a type for
    /// arrays of instances.
    private final class AcceptedClasses {
      let classes: DeclaredClasses
      let store: Store

      init(_ classes: DeclaredClasses, _ store: Store) {
        self.classes = classes
        self.store = store
      }
    }

    /// Returns the handle for a list of classes, or `nil` if the list was not compared with the store's
    /// classes yet.
    func store(for classes: DeclaredClasses) -> Store? {
      accepted.withLock { accepted in accepted.first { $0.classes == classes }?.store }
    }

    func accept(_ classes: DeclaredClasses, _ store: Store) {
      accepted.withLock {
        // Repositories that create their lists at each call create equal lists, so there are few different
        // ones.
        if $0.count >= DeclaredClasses.most { $0.removeFirst() }
        $0.append(AcceptedClasses(classes, store))
      }
    }

    init(key: String, store: Store, core: StoreCore, owner: AnyObject?, opener: Any.Type) {
      self.key = key
      self.opener = opener
      self.store = store
      self.core = core
      self.owner = owner
      hasOwner = owner != nil
    }
  }

  struct State {
    var entries = InstanceTable<Entry>()
    var recent = RecentStores()
    var directories = StoreDirectories()
    var gates = InstanceTable<OpeningGate>()
  }

  /// Returns the gate inside which one thread at a time opens, deletes or exchanges the files of a store.
  package func gate(_ key: String) -> OpeningGate {
    state.withLock { state in
      if let gate = state.gates[key] { return gate }
      let gate = OpeningGate(key: key)
      state.gates.insert(gate)
      return gate
    }
  }

  let state = OwnedLock(State())

  /// Returns the handle of a repository's store by its key, opening the store if necessary.
  ///
  /// - Parameter encryptsClearStore: whether opening encrypts an unencrypted store with the key of the
  ///   options.
  func found(_ repository: some DatabaseConfigurable, encryptsClearStore: Bool = false) -> Store {
    do {
      let key = try self.key(for: repository)
      if let open = try openStore(key, for: repository) { return open }
      closeAbandoned()
      return try gate(key).enter(store: repository.schemaName) {
        if let open = try openStore(key, for: repository) { return open }
        return try open(repository, key: key, encryptsClearStore: encryptsClearStore)
      }
    } catch {
      let unexpected = FiefError(
        .cannotOpen,
        "The store could not be opened.",
        store: repository.schemaName,
        underlying: error
      )
      let lanes = CompletionLanes.ofUnopened((try? key(for: repository)) ?? "unnamed:" + repository.storeName)
      return Store(
        .failure(error as? FiefError ?? unexpected),
        Self.reporter(for: repository),
        unopened: Store.Unopened(completions: lanes, completionQueue: repository.storeOptions.completionQueue)
      )
    }
  }

  /// Returns the event reporter for a repository's store that is not open.
  static func reporter(for repository: some DatabaseConfigurable) -> EventReporter {
    EventReporter(
      store: repository.storeName,
      options: repository.storeOptions,
      sandbox: sandbox(of: repository),
      isUnopened: true
    )
  }

  /// Returns the store that is open under a key.
  package func openCore(_ key: String) -> StoreCore? { state.withLock { $0.entries[key]?.core } }

  /// Whether a repository's store is open.
  package func isOpen(_ repository: some DatabaseConfigurable) -> Bool {
    guard let key = try? key(for: repository), let core = openCore(key) else { return false }
    return !core.isClosed
  }

  /// - Throws: ``FiefError`` if the store is open with a schema version other than the repository's.
  private func openStore(_ key: String, for repository: some DatabaseConfigurable) throws -> Store? {
    let entry = state.withLock { $0.entries[key] }
    guard let entry, !entry.core.isClosed else { return nil }
    // A new repository may have the address of a released one.
    if entry.hasOwner, entry.owner !== repository.storeOwner { return nil }
    try checkVersion(of: repository, with: entry)
    // A store with an owner was opened by this owner, so its classes need not be compared.
    return entry.hasOwner ? entry.store : try checkedStore(of: repository, in: entry)
  }

  private func checkVersion(of repository: some DatabaseConfigurable, with entry: Entry) throws(FiefError) {
    let open = entry.core.catalogue.schemaVersion
    let declared = repository.schemaVersion ?? 0
    if declared == open { return }
    throw FiefError(
      declared > open ? .migrationRequired : .versionTooLow,
      "Another repository has opened the store at a different schema version.",
      store: entry.core.name,
      details: [
        "the open store's version: \(open)", "the declared version: \(declared)",
        "opened by: \(entry.opener)", "requested by: \(type(of: repository))",
      ]
    )
  }

  private func open(
    _ repository: some DatabaseConfigurable,
    key: String,
    encryptsClearStore: Bool
  ) throws -> Store {
    var configuration = try repository.configuration()
    configuration.encryptsClearStore = encryptsClearStore
    try configuration.checkEncryption()
    let sandbox = Self.sandbox(of: repository)
    configuration.sandbox = sandbox
    configuration.isSynchronized = sandbox?.medium != .memory
    do {
      // Opening the store would create the sandbox's directory again, and nothing would remove it.
      if sandbox?.isEnded == true { throw StoreSandbox.endedError }
      let owner = Self.ownsItsStore(repository) ? repository.storeOwner : nil
      let core = try StoreCore(
        opened: Self.openFiles(configuration, key: key),
        sandboxes: Self.sandboxes(of: repository),
        configuration.memoryType,
        // A key that is the address of a released owner may be used again by another owner.
        place: owner == nil ? key : nil
      )
      sandbox?.note(configuration.options.encryption, of: core.directory)
      let whole = Store(.success(core))
      let store = Self.storeWithoutUndeclared(core, configuration) ?? whole
      let entry = Entry(
        key: key,
        store: owner == nil ? whole : store,
        core: core,
        owner: owner,
        opener: type(of: repository)
      )
      entry.accept(DeclaredClasses(of: repository), store)
      state.withLock { $0.entries.insert(entry) }
      core.emit(.opened(store: core.name, directory: core.directory))
      if let sandbox, sandbox.isEnded {
        // The sandbox has ended while the store was being opened, and therefore did not close it.
        close(key, callsHandlers: false)
        sandbox.remove()
        throw StoreSandbox.endedError
      }
      if configuration.options.sweepsExpiredOnOpen, !core.isReadOnly { store.sweepInBackground() }
      return store
    } catch {
      throw FiefError.described(error, store: configuration.name)
    }
  }

  private static func openFiles(_ configuration: StoreConfiguration, key: String) throws -> OpenedStore {
    switch configuration.memoryType {
    case .inMemory:
      let directory = try StoreLocation.makeInMemoryDirectory()
      do {
        let seed = try StoreSeedFile.place(configuration, in: directory, isSynchronized: false)
        return try StoreOpening.open(
          configuration,
          directory: directory,
          isInMemory: true,
          unlocked: seed
        )
      } catch {
        try? StoreLocation.removeDirectory(directory)
        throw error
      }
    case .inStorage:
      let options = configuration.options
      if options.isReadOnly { return try StoreOpening.open(configuration, directory: key, isInMemory: false) }
      do {
        return try openOrMake(configuration, directory: key)
      } catch let error as FiefError where error.isMigrationNeeded && options.deletesIfMigrationNeeded {
        // Deleting fails if a process has the store open, because its writes would go to deleted files.
        try StoreExchange.delete(key, allowsGroup: options.allowsGroupWritableDirectory)
        // Without this change, a seed with a different version would be deleted again.
        var configuration = configuration
        configuration.options.deletesIfMigrationNeeded = false
        return try openOrMake(configuration, directory: key)
      }
    }
  }

  private static func openOrMake(_ configuration: StoreConfiguration, directory: String) throws -> OpenedStore
  {
    try StoreLocation.createPrivateDirectory(directory)
    ScratchDirectory.removeAbandoned(beside: directory)
    let seed = try StoreSeedFile.place(
      configuration,
      in: directory,
      isSynchronized: configuration.isSynchronized
    )
    compactIfAsked(configuration, directory: directory)
    return try StoreOpening.open(configuration, directory: directory, isInMemory: false, unlocked: seed)
  }

  /// Returns the identity of a store: its directory, or its identifier in memory.
  private func key(for repository: some DatabaseConfigurable) throws -> String {
    let name = repository.storeName
    try StoreName.validate(name)
    let sandbox = StoreSandbox.inEffect(for: repository)
    switch repository.realmMemoryType {
    case .inStorage:
      let parent = try parentDirectory(of: repository, in: sandbox)
      if sandbox == nil, StoreSandbox.isUsed, Self.own(repository) == nil {
        try StoreSandbox.checkOutside(parent, repository)
      }
      return StoreLocation.joined(parent, name)
    case .inMemory(let identifier?):
      let identifier = try sandbox?.memoryIdentifier(inPlaceOf: identifier) ?? identifier
      return "memory:\(identifier)/\(name)"
    case .inMemory(nil):
      let prefix = try sandbox.map { "memory:" + (try $0.memoryIdentifier(inPlaceOf: nil)) } ?? "memory"
      if sandbox?.sharesUnnamedStores == true { return "\(prefix)/\(name)" }
      guard let owner = repository.storeOwner else {
        return "\(prefix)-type:\(_typeName(repository.describedType))/\(name)"
      }
      return "\(prefix)-object:\(UInt(bitPattern: ObjectIdentifier(owner)))/\(name)"
    }
  }

  private static func ownsItsStore(_ repository: some DatabaseConfigurable) -> Bool {
    repository.realmMemoryType == .inMemory(identifier: nil)
      && StoreSandbox.inEffect(for: repository)?.sharesUnnamedStores != true
  }

  private func parentDirectory(of repository: some DatabaseConfigurable, in sandbox: StoreSandbox?) throws
    -> String
  {
    let declared = try repository.directory ?? managedDirectory(of: repository)
    if let sandbox { return try sandbox.directory(inPlaceOf: declared) }
    return try declared ?? StoreLocation.defaultDirectory()
  }

  /// Returns the directory that a manager has assigned to a repository.
  private func managedDirectory(of repository: some DatabaseConfigurable) throws -> String? {
    let scope = ManagerBinding.inEffect(for: repository)
    let sandbox = StoreSandbox.innermost
    return try state.withLock {
      try $0.directories.directory(of: repository, scope: scope, sandbox: sandbox)
    }
  }

  /// Returns the directory of a repository's store on disk, whether or not the store is open.
  package func storageDirectory(of repository: some DatabaseConfigurable) throws -> String {
    try key(for: repository)
  }

  /// Closes a repository's store, if it is open.
  func close(_ repository: some DatabaseConfigurable, callsHandlers: Bool = true) {
    do { close(try key(for: repository), callsHandlers: callsHandlers) } catch {
      Self.reporter(for: repository).report(error, type: nil, property: nil)
    }
  }

  /// Closes a store if it is open.
  func close(_ core: StoreCore) {
    let isOpen = close(callsHandlers: true) { state in
      state.entries.all.first { $0.core === core }?.key
    }
    if !isOpen { core.close() }
  }

  private func close(_ key: String, callsHandlers: Bool = true) {
    close(callsHandlers: callsHandlers) { _ in key }
  }

  /// - Parameter key: returns the key of the store. It is called under the lock, because another store may
  ///   have the key shortly afterwards.
  /// - Returns: false if no store is open under the key.
  @discardableResult
  private func close(callsHandlers: Bool, _ key: (State) -> String?) -> Bool {
    let entry = state.withLock { state in
      let entry = key(state).flatMap { state.entries.remove($0) }
      if let entry { state.recent.remove(entry.core) }
      return entry
    }
    guard let entry else { return false }
    entry.core.close(callsHandlers: callsHandlers)
    entry.core.emit(.closed(store: entry.core.name))
    return true
  }

  /// Closes in-memory stores whose repository was released.
  ///
  /// Their writes and handlers may use any store, so this method must not be called on a thread inside a
  /// gate. The handlers are called in their isolation or queue; this method does not wait for them.
  private func closeAbandoned() {
    if OpeningGate.isHeldByCaller { return }
    let abandoned = state.withLock { state in
      let abandoned = state.entries.all.filter { $0.hasOwner && $0.owner == nil }
      if !abandoned.isEmpty { state.entries.removeAll { entry in abandoned.contains { $0 === entry } } }
      return abandoned
    }
    for entry in abandoned { entry.core.close(callsHandlers: false) }
  }
}

// MARK: Sandboxes

extension StoreRegistry {
  /// Returns the sandbox of a repository's store.
  static func sandbox(of repository: some DatabaseConfigurable) -> StoreSandbox? {
    own(repository) ?? StoreSandbox.inEffect(for: repository)
  }

  /// Returns the sandboxes of the current task and the repository's own sandbox.
  private static func sandboxes(of repository: some DatabaseConfigurable) -> [StoreSandbox] {
    StoreSandbox.current + (own(repository).map { [$0] } ?? [])
  }

  private static func own(_ repository: some DatabaseConfigurable) -> StoreSandbox? {
    StoreSandbox.isUsed ? (repository as? any SandboxedRepository)?.sandbox : nil
  }

  /// Returns the open stores whose keys meet a condition.
  package func openCores(where isWanted: (String) -> Bool) -> [StoreCore] {
    state.withLock { state in
      state.entries.all.compactMap { isWanted($0.key) && !$0.core.isClosed ? $0.core : nil }
    }
  }

  /// Returns the open stores whose files are in a directory.
  package func openCores(inDirectory directory: String) -> [StoreCore] {
    openCores { _ in true }.filter { $0.directory.hasSameBytes(as: directory) }
  }

  /// Closes the open stores whose keys meet a condition.
  func close(where isWanted: (String) -> Bool) {
    for key in state.withLock({ $0.entries.all.map(\.key).filter(isWanted) }) { close(key) }
  }
}

extension FiefError {
  fileprivate var isMigrationNeeded: Bool { code == .migrationRequired || code == .versionTooLow }
}
