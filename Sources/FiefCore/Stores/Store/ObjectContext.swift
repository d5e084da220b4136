import Foundation
import Synchronization

/// The store and the scope that an object was read from. The object's links are read there, and its changes
/// recorded.
///
/// All objects of a store, of a scope or of a tracer share one context.
// SAFETY: all fields are constant. The prefetched objects are used on one thread
// during one call. The scope is not thread-safe; it is only used after `isUsable` has confirmed that this is
// its own thread and that it has not ended.
@usableFromInline
package final class ObjectContext: ObjectOrigin, ObjectHost, @unchecked Sendable {
  package let store: StoreCore?
  private let scope: AccessScope?
  /// The types that the handle declares through which the objects were read; nil if it declares all types of
  /// the store.
  package let visible: VisibleTypes?
  /// Whether the objects belong to a frozen value. No write changes them, and they are read in their
  /// committed state.
  package let isFrozen: Bool
  let role: Role
  /// The last commit that the state of the store's held objects had to include when this context was created.
  private let refreshed: UInt64
  private let awaitingSave = Atomic<Bool>(false)

  /// Whether the objects belong to a save that was enqueued and is not committed yet. Until then the store
  /// does not have a new object among them.
  var isAwaitingSave: Bool {
    get { awaitingSave.load(ordering: .relaxed) }
    set { awaitingSave.store(newValue, ordering: .relaxed) }
  }

  /// Creates a context for objects of a store.
  package init(
    store: StoreCore,
    scope: AccessScope? = nil,
    visible: VisibleTypes? = nil,
    isFrozen: Bool = false
  ) {
    self.store = store
    self.scope = scope
    self.visible = visible
    self.isFrozen = isFrozen
    role = .plain
    refreshed = store.refreshed.load(ordering: .relaxed)
    super.init(ObjectContext.self)
  }

  /// Creates a context for objects with a special role.
  ///
  /// - Parameter store: the store; nil if the objects are not in a store.
  init(_ role: Role, store: StoreCore? = nil, visible: VisibleTypes? = nil) {
    self.store = store
    scope = nil
    self.visible = visible
    isFrozen = false
    self.role = role
    refreshed = store?.refreshed.load(ordering: .relaxed) ?? 0
    super.init(ObjectContext.self)
  }

  /// Creates a context for the object that records the reads of a tracer.
  init(tracer: ReadTracer) {
    store = nil
    scope = nil
    visible = nil
    isFrozen = false
    role = .plain
    refreshed = 0
    super.init(ObjectContext.self, tracer: tracer)
  }

  /// Creates a context for one call, in which properties are resolved with the objects that a prefetch has
  /// found.
  init(resolving context: ObjectContext, with known: PrefetchedObjects) {
    store = context.store
    scope = context.scope
    visible = context.visible
    isFrozen = context.isFrozen
    role = .resolving(known, for: context)
    refreshed = context.refreshed
    super.init(ObjectContext.self)
  }

  /// The store whose records the objects were read from. For deleted objects it is their former store.
  var storeOfRecords: StoreCore? { store ?? formerStore }

  /// The store from which a write has deleted the objects.
  private var formerStore: StoreCore? {
    if case .deleted(let store) = role { store } else { nil }
  }

  var isInStore: Bool { store != nil }
  var storeID: UUID? { store?.storeID }
  var storeName: String? { store?.name }

  func isOfSameStore(as other: ObjectOrigin) -> Bool {
    guard let store, let other = (other as? ObjectContext)?.store else { return false }
    return store.isSame(as: other)
  }

  func binding(of type: ObjectBase.Type) -> ObjectBinding? { try? store?.binding(of: type) }

  func willAssign(_ part: EmbeddedObject, in root: ObjectBase?) -> Bool { part.willAssign(in: root) }

  func leaveCollections(of object: ObjectBase) { object.leaveCollections(in: self) }

  func livePayload(of object: ObjectBase, column: UInt16) throws -> [UInt8]? {
    guard let write = currentScope as? WriteTransaction,
      let column = object._record?.binding.table.entry.column(column)
    else { return nil }
    return try object.storedPayload(of: column, in: try write.liveTransaction())
  }

  func willReadDerived(of object: ObjectBase) -> Bool {
    guard let write = currentScope as? WriteTransaction else { return false }
    do { try write.prepareForReadingDerived(of: object) } catch {
      report(error, type: Swift.type(of: object).className(), property: nil)
    }
    return true
  }

  func reportMisuse(_ error: FiefError) -> Bool {
    store?.emit(.misuse(error))
    return store != nil
  }

  func reportUnknown(_ table: Table, _ property: PropertyDescriptor?) {
    store?.reportUnknown(type: table.name, property)
  }

  /// The scope of the context, if it has not ended and this is its thread.
  var currentScope: AccessScope? {
    guard let scope, scope.isUsable else { return nil }
    return scope
  }

  /// The scope to read in: the scope of this context, or else the active write of this thread or the snapshot
  /// of its handler.
  package var readingScope: AccessScope? {
    if let scope, scope.isUsable { return scope }
    return isFrozen ? nil : storeOfRecords?.readingScope(seeing: visible)
  }

  /// Returns a context of the newest state if the store's held objects were refreshed since this context was
  /// created, and nil otherwise.
  func newest() -> ObjectContext? {
    guard let store, reads == nil, !store.isClosed,
      refreshed != store.refreshed.load(ordering: .relaxed)
    else { return nil }
    return ObjectContext(store: store, visible: visible)
  }

  func willRead(_ object: ObjectBase) {
    if let scope, scope.isUsable { return }
    guard !isFrozen, let store, let root = object.root else { return }
    if root !== object {
      root._context?.willRead(root)
    } else if let write = store.writeOfThread {
      write.joinByReading(root)
    } else if refreshed != store.refreshed.load(ordering: .relaxed), reads == nil {
      store.refresh(root, of: self)
    }
  }

  /// Called before a change of an object with a record of its own, or of a part of the object.
  ///
  /// - Parameter part: the embedded object or collection that changes; nil for the object itself.
  /// - Returns: the write that the change belongs to, which the object has joined; nil outside of writes.
  func write(changing object: ObjectBase, _ part: AnyObject? = nil) -> WriteTransaction? {
    if let scope, scope.isUsable {
      if let write = scope as? WriteTransaction {
        if part != nil, !write.drafts.isEmpty { write.takeUpDraft(of: object, part) }
        return write
      }
      if WritingThreads.isAny { store?.refuse(object, of: scope) }
      return nil
    }
    if isFrozen {
      store?.refuse(frozen: object)
      return nil
    }
    guard WritingThreads.isAny else { return nil }
    guard let store else {
      if let formerStore { formerStore.reportChange(ofDeleted: object) }
      return nil
    }
    return store.join(object, part)
  }

  func willAssign(_ object: ObjectBase) -> Bool {
    guard let write = write(changing: object) else { return reportsAssignment }
    write.noteChange(of: object)
    return object._isShared
  }

  func didAssign(_ object: ObjectBase) {
    if let write = currentScope as? WriteTransaction { return write.share(object) }
    if reportsAssignment { store?.reportAssignments(of: object) }
  }

  func didHandOutPart(of owner: ObjectBase) {
    if let write = currentScope as? WriteTransaction { return write.keep(owner) }
    // An embedded object that was read before the write follows its links in the write.
    guard owner is EmbeddedObject, let write = readingScope as? WriteTransaction else { return }
    write.noteLinks(of: owner, owner.descriptor)
  }

  func didReadLink(of part: ObjectBase, at offset: Int, to object: ObjectBase) {
    (readingScope as? WriteTransaction)?.noteLinks(of: part, part.descriptor, at: offset, to: object)
  }

  func value(of reference: ObjectReference) -> AnyRealmValue {
    guard let store else { return .object(UndeclaredObject.make(reference, in: formerStore?.storeID)) }
    // The type was removed, with its objects.
    guard let table = store.tables[number: reference.type] else { return .none }
    guard let type = table.descriptor?.type else {
      return .object(UndeclaredObject.make(reference, in: store.storeID))
    }
    do {
      let found = try reference.key.withUnsafeBytes { try self.object(of: type, key: $0) }
      return (found as? Object).map { .object($0) } ?? AnyRealmValue.none
    } catch {
      // The link stays unchanged when the property is written.
      report(error, type: type.className(), property: nil)
      return .object(UndeclaredObject.make(reference, in: store.storeID))
    }
  }

  /// Returns the target of a link, as the scope sees it, or else in the newest state.
  func object(of type: ObjectBase.Type, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    guard let store = storeOfRecords else { return nil }
    let binding = try store.binding(of: type)
    if let object = known?[binding.table.entry.id, key] { return object }
    if let scope = readingScope {
      scope.tally.links &+= 1
      return try scope.object(of: binding, key: key)
    }
    let newest = lasting
    if newest.reads == nil { store.noteUntrackedRead(of: type) }
    var (bytes, costs) = (0, ReadCosts())
    let object = try store.read { transaction in
      try newest.reads?.noteLink(to: binding.table, key, in: transaction)
      return try store.load(binding, key: key, from: transaction, context: newest, bytes: &bytes)
    }
    if object != nil { costs.add(binding.table, bytes: bytes) }
    store.counters.add(ReadTally(objects: object == nil ? 0 : 1, links: 1, lookups: 1), costs)
    return object
  }

  /// Fills in the objects that a prefetch has found.
  ///
  /// - Returns: the indices of the other objects.
  func unknown(
    _ objects: inout [ObjectBase?],
    of binding: ObjectBinding,
    _ keys: [UnsafeRawBufferPointer]
  ) throws -> [Int] {
    guard let known else { return Array(keys.indices) }
    let table = binding.table.entry.id
    var unknown: [Int] = []
    for (index, key) in keys.enumerated() {
      if let object = known[table, key] { objects[index] = object } else { unknown.append(index) }
    }
    return unknown
  }

  /// The context for objects that are read through this one. If the scope has ended, it is a context of the
  /// newest state.
  package var lasting: ObjectContext {
    switch role {
    case .resolving(_, let context): return context.lasting
    case .deleted(let formerStore): return formerStore.newestContext
    default: break
    }
    guard let store, scope != nil, currentScope == nil else { return self }
    return ObjectContext(store: store, visible: visible, isFrozen: isFrozen)
  }

  func report(_ error: any Error, type: String, property: String?) {
    if let store = storeOfRecords { return store.report(error, type: type, property: property) }
    if case .unstored(let reporter) = role { reporter.report(error, type: type, property: property) }
  }

  /// Sends the event that a closure creates from the store's name.
  func emit(_ event: (String) -> StoreEvent) {
    if let store { return store.emit(event(store.name)) }
    if case .unstored(let reporter) = role { reporter.send(event("no store")) }
  }

  /// Returns a context for objects that are not in a store. Its failures are still reported.
  static func ofNoStore() -> ObjectContext {
    let sandbox = StoreSandbox.current.last
    return ObjectContext(
      .unstored(EventReporter(store: "no store", options: StoreOptions(), sandbox: sandbox))
    )
  }
}

extension ObjectBase {
  /// The origin of the object; nil for an object that was never read or saved.
  // SAFETY: ``ObjectContext`` is the only subclass, and both types are one reference.
  @inline(__always)
  package final var _context: ObjectContext? {
    get { unsafeBitCast(_origin, to: ObjectContext?.self) }
    set { _origin = newValue }
  }
}

extension ValueReader {
  /// The context in which links are resolved.
  // SAFETY: ``ObjectContext`` is the only subclass, and both types are one reference.
  @inline(__always)
  var context: ObjectContext? { unsafeBitCast(origin, to: ObjectContext?.self) }
}

extension ValueWriter {
  /// The graph that is being saved: links ask it for the key of an object that is not stored yet.
  // SAFETY: graphs are the only destinations, and both types are one reference.
  @inline(__always)
  var graph: ObjectGraph? { unsafeBitCast(destination, to: ObjectGraph?.self) }
}
