import Foundation
import LMDB

/// An open store: its environment, its tables, its write queue.
package final class StoreCore: Sendable {
  let name: String
  let directory: String
  let isInMemory: Bool
  let isReadOnly: Bool
  let environment: LMDB.Environment
  let catalogue: Catalogue
  let tables: StoreTables
  let rowIDs = RowIDs()
  let observers = StoreObservers()
  let counters = StoreCounters()
  private let bindings: SortedTable<ObjectIdentifier, LazyBinding>
  private let eventHandler: (@Sendable (StoreEvent) -> Void)?
  private let laterBindings = OwnedLock(SortedTable<ObjectIdentifier, ObjectBinding>())
  private let queueLimits: WriteQueueLimits
  private let sandboxes: [StoreSandbox]
  private let lifetime = OwnedLock<Lifetime>(Lifetime())

  let active = OwnedLock(ActiveWrite())

  // SAFETY: the scope is only used by a thread that `isUsable` confirms to be its own.
  struct ActiveWrite: @unchecked Sendable {
    var scope: WriteTransaction?
  }

  private struct Lifetime {
    /// Nil until something is written: many processes only read.
    var queue: WriteQueue<WriteWork, WriteReceipt>?
    var isClosed = false
  }

  /// - Parameter sandboxes: what is in effect where the application's closures run on the queue's thread.
  init(opened: OpenedStore, sandboxes: [StoreSandbox] = []) {
    self.name = opened.name
    self.directory = opened.directory
    self.isInMemory = opened.isInMemory
    self.isReadOnly = opened.isReadOnly
    self.environment = opened.environment
    self.catalogue = opened.catalogue
    self.tables = opened.tables
    self.eventHandler = opened.eventHandler
    let bindings = opened.descriptors.compactMap { descriptor in
      opened.tables[descriptor.name].map { LazyBinding(descriptor: descriptor, table: $0) }
    }
    self.bindings = SortedTable(bindings) { ObjectIdentifier($0.descriptor.type) }
    self.queueLimits = opened.queueLimits
    self.sandboxes = sandboxes
  }

  var storeID: UUID { catalogue.storeID }

  /// The context of objects outside of any scope.
  var newestContext: ObjectContext { ObjectContext(store: self) }

  /// The binding of a class.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` for a class that the store was not opened with.
  func binding(of type: ObjectBase.Type) throws(FiefError) -> ObjectBinding {
    let id = ObjectIdentifier(type)
    if let lazy = bindings[id] { return lazy.binding }
    if let binding = laterBindings.withLock({ $0[id] }) { return binding }
    // Another class of the same name and the same properties is the same type to the store.
    let descriptor = ObjectDescriptor.of(type)
    guard let table = tables[descriptor.name],
      SchemaComparison.differences(of: descriptor, from: table.entry).isEmpty
    else {
      throw FiefError(
        .unknownType,
        "The type does not belong to the store.",
        store: name,
        type: descriptor.name,
        details: ["the store's types: " + tables.all.map(\.name).sorted().joined(separator: ", ")]
      )
    }
    let binding = ObjectBinding(descriptor: descriptor, table: table)
    laterBindings.withLock { $0[id] = binding }
    return binding
  }

  static func closedError(_ name: String) -> FiefError {
    FiefError(.storeClosed, "The store is closed.", store: name)
  }

  /// The write queue of the store while it is open.
  func queue() throws(FiefError) -> WriteQueue<WriteWork, WriteReceipt> {
    let queue = lifetime.withLock { lifetime -> WriteQueue<WriteWork, WriteReceipt>? in
      if lifetime.isClosed { return nil }
      if lifetime.queue == nil { lifetime.queue = makeQueue() }
      return lifetime.queue
    }
    guard let queue else { throw Self.closedError(name) }
    return queue
  }

  private func makeQueue() -> WriteQueue<WriteWork, WriteReceipt> {
    WriteQueue(name: name, limits: queueLimits) { [weak self, name] batch in
      guard let self else { return batch.map { _ in .failure(StoreCore.closedError(name)) } }
      return StoreSandbox.withCurrent(self.sandboxes) { self.execute(batch) }
    }
  }

  var isClosed: Bool { lifetime.withLock { $0.isClosed } }

  /// Drains the write queue, then closes the environment. Further calls return at once.
  func close() {
    let (wasClosed, queue) = lifetime.withLock { lifetime in
      defer { lifetime.isClosed = true }
      return (lifetime.isClosed, lifetime.queue)
    }
    if wasClosed { return }
    queue?.close()
    observers.removeAll()
    environment.close()
    if isInMemory { try? StoreLocation.removeDirectory(directory) }
  }

  func report(_ error: any Error, type: String?, property: String?) {
    eventHandler?(.failedRead(store: name, type: type, property: property, error: error))
  }

  func emit(_ event: StoreEvent) { eventHandler?(event) }
}
