import Dispatch
import Foundation
import LMDB
import Synchronization

/// An open store: its environment, its tables, its write queue.
package final class StoreCore: Sendable {
  package let name: String
  package let directory: String
  package let isInMemory: Bool
  /// What identifies the store in the process, also when it is opened again: where it is, or the identifier in memory.
  let place: String
  /// The identifier of a store in memory that was given one.
  let memoryIdentifier: String?
  package let isReadOnly: Bool
  package let environment: LMDB.Environment
  let catalogue: Catalogue
  package let tables: StoreTables
  package let schemaGuard: SchemaGuard
  /// Whether a commit that changes something always gets a number of its own.
  let numbersCommits: Bool
  let rowIDs = RowIDs()
  let claimedRowIDs = ClaimedRowIDs()
  /// The handlers that are called within each commit.
  package let commitHandlers = CommitHandlers()
  /// Notifies observers after commits.
  package let hub: ObservationHub
  package let counters: StoreCounters
  let slowness: Slowness
  /// Tells the stores of the process apart.
  package let number = StoreCore.numbers.wrappingAdd(1, ordering: .relaxed).newValue
  private static let numbers = Atomic<UInt64>(0)
  /// The properties with unknown values that were reported to the event handler.
  let unknownPlaces = OwnedLock<[String]>([])
  /// The properties that were assigned outside of writes, and were reported.
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
  /// Whether a save with `.modified` adds an object again that was deleted.
  let reinsertsDeletedObjects: Bool
  /// Whether observations of collections without key paths are about linked objects too.
  package let observesLinkedObjects: Bool
  let recentPlans = RecentPlans()
  let recentPlaces = RecentPlaces()
  let loopSweep = LoopSweep()
  private let lifetime = OwnedLock<Lifetime>(Lifetime())

  /// Apart from the rest of the lifetime: each read asks for it, and takes no lock.
  private let closing = Atomic(false)

  package let active = ActiveWrite()

  /// The number of the last commit that held objects are to show when they are read.
  let refreshed = Atomic<UInt64>(0)

  /// The number of the write that `beginWrite()` has begun and that is active; 0 where there is none.
  let begunWrite = Atomic<UInt64>(0)
  /// Whether the end of that write is being watched for.
  let watchesBegunWrite = Atomic<Bool>(false)
  let begunLimits = OwnedLock(BegunWriteLimits())
  /// The writes that `beginAsyncWrite(_:)` begins later.
  package let laterWrites = LaterWrites()

  private struct Lifetime {
    /// The write queue; nil until something is written: many processes only read.
    var queue: WriteQueue<WriteWork, WriteReceipt>?
  }

  /// - Parameters:
  ///   - sandboxes: the sandboxes in effect where the application's closures run on a thread of the library's own.
  ///   - memoryType: the repository's description of its place.
  ///   - place: what identifies the store; nil for its directory.
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

  /// A context for objects outside of any scope; a ``Store`` keeps one for all that are read through it.
  var newestContext: ObjectContext { ObjectContext(store: self) }

  /// The binding of a class.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` for a class that the store was not opened with,
  ///   `migrationRequired` for one that has the name of one of the store's and differs from it.
  package func binding(of type: ObjectBase.Type) throws(FiefError) -> ObjectBinding {
    try keptBinding(of: type).takeUnretainedValue()
  }

  /// The binding of a class, not counted: it lasts as long as the store, and a point read that counts the
  /// references to it takes a twentieth longer.
  @inline(__always)
  func keptBinding(of type: ObjectBase.Type) throws(FiefError) -> Unmanaged<ObjectBinding> {
    if let binding = bindings[ObjectIdentifier(type)] { return binding }
    return try laterBinding(of: type)
  }

  @inline(never)
  private func laterBinding(of type: ObjectBase.Type) throws(FiefError) -> Unmanaged<ObjectBinding> {
    let id = ObjectIdentifier(type)
    if let binding = laterBindings.withLock({ $0[id] }) { return .passUnretained(binding) }
    // Another class of the same name and the same properties is the same type to the store.
    let descriptor = ObjectDescriptor.of(type)
    guard let table = tables[descriptor.name] else {
      throw FiefError(
        .unknownType,
        "The type does not belong to the store: the repository that opened it does not declare it.",
        store: name,
        type: descriptor.name,
        details: ["the store's types: " + tables.all.map(\.name).sorted().joined(separator: ", ")]
      )
    }
    let differences = SchemaComparison.differences(of: descriptor, from: table.entry)
    guard differences.isEmpty else {
      throw FiefError(
        .migrationRequired,
        "The class differs from the one of its name that the store was opened with.",
        store: name,
        type: descriptor.name,
        details: differences.map(\.description)
      )
    }
    let binding = ObjectBinding(descriptor: descriptor, table: table)
    // A known binding stays: others use it without a count of references.
    return laterBindings.withLock { bindings in
      if let known = bindings[id] { return .passUnretained(known) }
      bindings[id] = binding
      return .passUnretained(binding)
    }
  }

  /// The class that the store was opened with for a type; nil where it has none.
  package func descriptor(named name: String) -> ObjectDescriptor? { bindings.descriptor(named: name) }

  package static func closedError(_ name: String) -> FiefError {
    FiefError(.storeClosed, "The store is closed.", store: name)
  }

  /// The write queue of the store while it is open.
  package func queue() throws(FiefError) -> WriteQueue<WriteWork, WriteReceipt> {
    // The queue's thread is in the other process.
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
    // The queue and the store hold each other until `close()`. A weak reference would make each retain of
    // the store, and a read has several, take a detour.
    WriteQueue(name: name, limits: queueLimits) { batch in
      self.inSandboxes { self.execute(batch) }
    }
  }

  /// Calls the application's closures on a thread of the library's own.
  package func inSandboxes<Value>(_ body: () throws -> Value) rethrows -> Value {
    try StoreSandbox.withCurrent(sandboxes, body)
  }

  package var isClosed: Bool { closing.load(ordering: .acquiring) }

  /// Drains the write queue, closes the environment, and has the completion handlers called that are due. Further calls
  /// return at once.
  ///
  /// - Parameter callsHandlers: whether the completion handlers that are due are called before this returns; where they
  ///   must not be, since a lock is held, the caller does that later with `completions.finish()`.
  func close(callsHandlers: Bool = true) {
    leaveBegunWrite()
    let (wasClosed, queue) = lifetime.withLock { lifetime in
      (closing.exchange(true, ordering: .acquiringAndReleasing), lifetime.queue)
    }
    if wasClosed { return }
    // The threads are those of the process that this one was forked off from, and so are the files.
    guard environment.isOfThisProcess else { return }
    queue?.close()
    lifetime.withLock { $0.queue = nil }
    commitHandlers.removeAll()
    hub.close()
    keepUsageAtEnd()
    environment.close()
    recentPlaces.close()
    // A directory that cannot be removed has lost its lock, so that the next process that sweeps removes it.
    if isInMemory { try? StoreLocation.removeDirectory(directory) }
    if callsHandlers { completions.finish() }
  }

  /// Reports a failed read to the event handler; damage ends the write that the caller is in.
  package func report(_ error: any Error, type: String?, property: String?) {
    if let error = error as? FiefError, error.code == .damagedRecord || error.code == .damagedStore {
      activeWrite?.fail(error)
    }
    reporter.report(error, type: type, property: property)
  }

  package func emit(_ event: StoreEvent) { reporter.send(event) }
}
