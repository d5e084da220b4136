import Dispatch
import Foundation
import LMDB
import Synchronization

/// An open store: its environment, its tables and its write queue.
package final class StoreCore: Sendable {
  package let name: String
  package let directory: String
  package let isInMemory: Bool
  /// The identity of the store in the process: its directory, or the identifier of a store in memory. It
  /// stays the same if the store is opened again.
  let place: String
  /// The identifier of a store in memory, if it was opened with one.
  let memoryIdentifier: String?
  package let isReadOnly: Bool
  package let environment: LMDB.Environment
  let catalogue: Catalogue
  package let tables: StoreTables
  package let schemaGuard: SchemaGuard
  /// Whether every commit that changes something gets a separate number.
  let numbersCommits: Bool
  let rowIDs = RowIDs()
  let claimedRowIDs = ClaimedRowIDs()
  /// The handlers that are called in each commit.
  package let commitHandlers = CommitHandlers()
  /// The hub that notifies observers after commits.
  package let hub: ObservationHub
  package let counters: StoreCounters
  let slowness: Slowness
  /// A number that distinguishes the stores of the process.
  package let number = StoreCore.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(0)
  /// The properties whose unknown values were reported to the event handler.
  let unknownPlaces = OwnedLock<[String]>([])
  /// The properties that were assigned outside writes, and were reported.
  let assignedPlaces = OwnedLock<Set<String>>([])
  private let bindings: BindingTable
  let reporter: EventReporter
  private let laterBindings = OwnedLock(SortedTable<ObjectIdentifier, ObjectBinding>())
  private let queueLimits: WriteQueueLimits
  package let sandboxes: [StoreSandbox]
  /// The lanes on which completion handlers are called.
  let completions = CompletionLanes()
  /// The queue on which the application wants completion handlers to be called.
  let completionQueue: DispatchQueue?
  /// The number of bytes that the sort of a query may use.
  let sortMemory: Int
  /// Whether a save with `.modified` adds a deleted object again.
  let reinsertsDeletedObjects: Bool
  /// Whether observations of collections without key paths also report changes of linked objects.
  package let observesLinkedObjects: Bool
  let recentPlans = RecentPlans()
  let recentPlaces = RecentPlaces()
  let loopSweep = LoopSweep()
  private let lifetime = OwnedLock<Lifetime>(Lifetime())

  /// Not part of `Lifetime`, because each read checks this value and must not take a lock.
  private let closing = Atomic(false)

  package let active = ActiveWrite()

  /// The number of the last commit that existing objects must reflect when they are read.
  let refreshed = Atomic<UInt64>(0)

  /// The number of the active write that `beginWrite()` began, or 0.
  let begunWrite = Atomic<UInt64>(0)
  /// Whether that write is being watched, so that it is reported if it does not end in time.
  let watchesBegunWrite = Atomic<Bool>(false)
  let begunLimits = OwnedLock(BegunWriteLimits())
  /// The writes that `beginAsyncWrite(_:)` will begin.
  package let laterWrites = LaterWrites()

  private struct Lifetime {
    /// The write queue; nil before the first write, because many processes only read.
    var queue: WriteQueue<WriteWork, WriteReceipt>?
  }

  /// - Parameters:
  ///   - sandboxes: the sandboxes in effect when the application's closures run on a thread of the library.
  ///   - memoryType: the repository's declaration of whether the store is in memory.
  ///   - place: the identity of the store; nil for its directory.
  init(
    opened: OpenedStore,
    sandboxes: [StoreSandbox] = [],
    _ memoryType: RealmMemoryType = .inStorage,
    place: String? = nil
  ) {
    if case .inMemory(let identifier) = memoryType {
      memoryIdentifier = identifier
    } else {
      memoryIdentifier = nil
    }
    self.name = opened.name
    self.directory = opened.directory
    self.place = place ?? opened.directory
    self.isInMemory = opened.isInMemory
    self.isReadOnly = opened.isReadOnly
    self.environment = opened.environment
    self.catalogue = opened.catalogue
    self.tables = opened.tables
    self.schemaGuard = SchemaGuard(
      opened.catalogue,
      isOwn: opened.isInMemory,
      unicode: opened.unicodeFingerprint
    )
    self.counters = StoreCounters(opened.name, opened.tables, opened.ledger)
    self.slowness = opened.slowness
    self.numbersCommits = opened.isSynchronized
    self.reporter = opened.reporter
    self.completionQueue = opened.completions.queue
    let descriptors = opened.schema.descriptors
    for descriptor in descriptors { opened.tables[descriptor.name]?.descriptor = descriptor }
    self.bindings = BindingTable(
      descriptors.compactMap { descriptor in
        opened.tables[descriptor.name].map { LazyBinding(descriptor: descriptor, table: $0) }
      }
    )
    self.queueLimits = opened.queueLimits
    self.sortMemory = opened.sortMemory
    self.reinsertsDeletedObjects = opened.reinsertsDeletedObjects
    self.observesLinkedObjects = opened.observesLinkedObjects
    self.sandboxes = sandboxes
    self.hub = ObservationHub(isShared: !opened.isInMemory, clock: opened.intervalClock)
    if let transaction = try? environment.beginRead() {
      refreshed.store(transaction.id, ordering: .relaxed)
      environment.endRead(transaction)
    }
    beginKeepingUsage()
    reportFailures()
  }

  package var storeID: UUID { catalogue.storeID }

  /// A new context for objects outside of any scope. A ``Store`` keeps one for all objects that are read
  /// through it.
  var newestContext: ObjectContext { ObjectContext(store: self) }

  /// Returns the binding of a class.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` if the store was not opened with the class;
  ///   `migrationRequired` if the class differs from the class of the same name with which the store was
  ///   opened.
  package func binding(of type: ObjectBase.Type) throws(FiefError) -> ObjectBinding {
    try keptBinding(of: type).takeUnretainedValue()
  }

  /// Returns the binding of a class without retaining it. The binding lives as long as the store. Retaining
  /// it would make a point read a twentieth slower.
  @inline(__always)
  func keptBinding(of type: ObjectBase.Type) throws(FiefError) -> Unmanaged<ObjectBinding> {
    if let binding = bindings[ObjectIdentifier(type)] { return binding }
    return try laterBinding(of: type)
  }

  @inline(never)
  private func laterBinding(of type: ObjectBase.Type) throws(FiefError) -> Unmanaged<ObjectBinding> {
    let id = ObjectIdentifier(type)
    if let binding = laterBindings.withLock({ $0[id] }) { return .passUnretained(binding) }
    // To the store, a different class with the same name and the same properties is the same type.
    let descriptor = ObjectDescriptor.of(type)
    guard let table = tables[descriptor.name] else {
      throw FiefError(
        .unknownType,
        "The type does not belong to the store: the repository that opened the store does not declare it.",
        store: name,
        type: descriptor.name,
        details: ["the store's types: " + tables.all.map(\.name).sorted().joined(separator: ", ")]
      )
    }
    let differences = SchemaComparison.differences(of: descriptor, from: table.entry)
    guard differences.isEmpty else {
      throw FiefError(
        .migrationRequired,
        "The class differs from the class of the same name in the open store.",
        store: name,
        type: descriptor.name,
        details: differences.map(\.description)
      )
    }
    let binding = ObjectBinding(descriptor: descriptor, table: table)
    // An existing binding is never replaced, because callers use it without retaining it.
    return laterBindings.withLock { bindings in
      if let known = bindings[id] { return .passUnretained(known) }
      bindings[id] = binding
      return .passUnretained(binding)
    }
  }

  /// Returns the class of a type with which the store was opened, or nil if the type has no class.
  package func descriptor(named name: String) -> ObjectDescriptor? { bindings.descriptor(named: name) }

  package static func closedError(_ name: String) -> FiefError {
    FiefError(.storeClosed, "The store is closed.", store: name)
  }

  /// Returns the write queue of the store.
  ///
  /// - Throws: ``FiefError`` of code `storeClosed` if the store is closed, `forkedProcess` in a forked child.
  package func queue() throws(FiefError) -> WriteQueue<WriteWork, WriteReceipt> {
    // In a forked child, the queue's thread is in the parent process.
    guard environment.isOfThisProcess else {
      throw FiefError(.forkedProcess, FiefError.forkedMessage, store: name)
    }
    let queue = lifetime.withLock { lifetime -> WriteQueue<WriteWork, WriteReceipt>? in
      if isClosed { return nil }
      if lifetime.queue == nil { lifetime.queue = makeQueue() }
      return lifetime.queue
    }
    guard let queue else { throw Self.closedError(name) }
    return queue
  }

  private func makeQueue() -> WriteQueue<WriteWork, WriteReceipt> {
    // The queue and the store refer to each other until `close()`. A weak reference would make every retain
    // of the store slower, and a read has several retains.
    WriteQueue(name: name, limits: queueLimits) { batch in
      self.inSandboxes { self.execute(batch) }
    }
  }

  /// Calls a closure of the application on a thread of the library, with the store's sandboxes in effect.
  package func inSandboxes<Value>(_ body: () throws -> Value) rethrows -> Value {
    try StoreSandbox.withCurrent(sandboxes, body)
  }

  package var isClosed: Bool { closing.load(ordering: .acquiring) }

  /// Drains the write queue, closes the environment and calls the completion handlers that are due. Further
  /// calls return immediately.
  ///
  /// - Parameter callsHandlers: whether the completion handlers that are due are called before this method
  ///   returns. They must not be called here while a lock is held; the caller then calls
  ///   `completions.finish()` later.
  func close(callsHandlers: Bool = true) {
    leaveBegunWrite()
    let (wasClosed, queue) = lifetime.withLock { lifetime in
      (closing.exchange(true, ordering: .acquiringAndReleasing), lifetime.queue)
    }
    if wasClosed { return }
    // In a forked child, the threads and the files belong to the parent process.
    guard environment.isOfThisProcess else { return }
    queue?.close()
    lifetime.withLock { $0.queue = nil }
    commitHandlers.removeAll()
    hub.close()
    keepUsageAtEnd()
    environment.close()
    recentPlaces.close()
    // If the directory cannot be removed, its lock is released anyway, so the next process that sweeps
    // removes it.
    if isInMemory { try? StoreLocation.removeDirectory(directory) }
    if callsHandlers { completions.finish() }
  }

  /// Reports a failed read to the event handler. If the store is damaged, the active write of this thread
  /// fails.
  package func report(_ error: any Error, type: String?, property: String?) {
    if let error = error as? FiefError, error.code == .damagedRecord || error.code == .damagedStore {
      activeWrite?.fail(error)
    }
    reporter.report(error, type: type, property: property)
  }

  package func emit(_ event: StoreEvent) { reporter.send(event) }
}
