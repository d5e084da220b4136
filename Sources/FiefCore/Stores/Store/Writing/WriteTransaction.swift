import LMDB

/// The scope of a `write { }`: one transaction, in which objects are live.
///
/// Inside, the same key is always the same instance, and assigning a property is the change. An object that was
/// read before, or added by an earlier write, joins the write when you first use it there, and shows the state of the write from
/// then on. If several instances of an object have joined, each shows the assignments to the others.
/// Everything is committed together when the closure returns, and nothing is when it throws. The closure may
/// run again from its start when the store has to grow, so keep effects on the world outside of it.
public final class WriteTransaction: AccessScope {
  /// The number of changed objects that wait to be written together.
  private static let mostChanged = 16_384

  package let writer: RecordWriter
  @exclusivity(unchecked) private(set) var live = IdentityMap()
  // Nothing that is called while it is accessed comes back to it.
  @exclusivity(unchecked) var changed: [ObjectBase] = []
  /// Objects of which a part was handed out. A part knows its owner weakly, and in
  /// `club().members.append(dog)` nothing else holds the owner when the part is changed.
  private var owners: [ObjectIdentifier: ObjectBase] = [:]
  var linkingParts = LinkingParts()
  private(set) var droppedPartLinks = DroppedPartLinks()
  /// How often objects were saved: what was not found before may be there after the next time.
  private(set) var savedGraphs = 0
  /// How often it has deleted live objects or stored deleted ones again.
  var deletions = 0
  /// Whether it has deleted objects that were live.
  var hasDeleted: Bool { deletions > 0 }
  var aliases = Aliases()

  /// Row ids that are valid only if this transaction commits.
  private var reservedRowIDs: [UInt32: Range<Int64>] = [:]
  private(set) var failure: (any Error)?
  /// Whether an object is being made from bytes in a page.
  private(set) var isDecoding = false
  var isFlushing = false
  /// Whether objects join by being read. They do not while the write goes through objects itself.
  private(set) var joinsReadObjects = true
  /// The states of objects from before this transaction made them its own, restored when it is rolled back.
  var undo = ObjectUndo()
  /// The records that objects had before they got records of this write.
  var formerRecords = FormerRecords()
  /// The records of objects that a deletion has given the elements of their collections, until the deletion is complete.
  var keptRecords: [(ObjectBase, RecordCopy)] = []
  /// The objects whose collections the deletion has kept.
  var keptObjects: Set<ObjectIdentifier> = []
  /// The row ids of saves that were left to the queue in this write.
  private var claims: [RowIDClaims] = []
  /// The context that deleted objects have from here on.
  private(set) lazy var deletedContext = ObjectContext(deletedFrom: store)
  /// The former states of objects that have joined this transaction.
  var former: [FormerState] = []
  /// Collections whose objects nothing held, with their contents before the write changed them.
  var left: [(collection: OwnedCollection, saved: OwnedCollection)] = []
  /// The former states of objects to which something was assigned before the write.
  var drafts: [ObjectIdentifier: FormerState] = [:]

  /// The keys of rows that look-ups by place have found since something was changed last.
  lazy var placesSinceChange = RecentPlaces()
  var unchanged: UnchangedWrite?

  /// Whether it was cancelled by its own closure, and has ended.
  private(set) var isCancelled = false
  /// Whether the closure may do that.
  var mayBeCancelled = false

  package init(store: StoreCore, writer: RecordWriter) {
    self.writer = writer
    super.init(store: store, transaction: writer.transaction)
    if store.tables.hasDerived {
      writer.didDerive = { [weak self] in try self?.didDerive($0, key: $1, record: $2) }
    }
  }

  override func prepareForReading() throws {
    if isDecoding { return }
    try flush()
    try writer.flushTrees()
  }

  /// Called before a derived property of a live object is read.
  func prepareForReadingDerived(of object: ObjectBase) throws {
    if isDecoding || isFlushing { return }
    if !changed.isEmpty || writer.waiting != nil { try changing { try prepareForReading() } }
    // Derived values are set on the live instance only.
    if aliases[object] != nil { try readDerived(of: object) }
  }

  func noteChange(of object: ObjectBase) {
    guard !object._isListedAsChanged else { return }
    object._isListedAsChanged = true
    changed.append(object)
  }

  func keep(_ owner: ObjectBase) {
    if owners.updateValue(owner, forKey: ObjectIdentifier(owner)) == nil, owner is EmbeddedObject {
      noteLinks(of: owner, owner.descriptor)
    }
  }

  package override func object(of binding: ObjectBinding, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    let transaction = try liveTransaction()
    let id = IdentityMap.Key(table: binding.table.entry.id, key: key)
    if let known = live[id] { return known }
    if changed.count >= Self.mostChanged, !isDecoding { try flush() }
    var object = try load(binding, key, transaction)
    if object == nil, !changed.isEmpty, !isDecoding {
      // A changed object may link a new one, which is written with it.
      try flush()
      if let known = live[id] { return known }
      object = try load(binding, key, transaction)
    }
    if let object { makeLive(object, binding, id) }
    return object
  }

  /// The live instance of an object that was read elsewhere; nil where there is none, or where something was assigned to
  /// the object that is not saved.
  func liveInstance(of object: ObjectBase) -> ObjectBase? {
    guard object._context !== context, let binding = try? store.binding(of: Swift.type(of: object)),
      !object.hasAssignedProperties(binding.descriptor), let key = try? binding.key(of: object)
    else { return nil }
    return try? key.withUnsafeBytes { try self.object(of: binding, key: $0) }
  }

  private func makeLive(_ object: ObjectBase, _ binding: ObjectBinding, _ id: IdentityMap.Key) {
    _ = live.insert(object, for: id)
    if binding.table.hasDerived { object.expectDerivedReads(binding.descriptor) }
  }

  /// Makes an object that has joined the transaction the live instance, or one more of them.
  func makeLive(_ object: ObjectBase, _ id: IdentityMap.Key) {
    guard let known = live[id], known !== object else {
      _ = live.insert(object, for: id)
      return
    }
    aliases.insert(object, besides: known, id)
    object._isShared = true
    known._isShared = true
  }

  /// An instance of the stored object with a key, including waiting changes, that is not live; nil where
  /// there is none.
  ///
  /// - Parameter id: the identity of the live instance; nil where it is known to have no waiting changes.
  func freshInstance(_ binding: ObjectBinding, _ key: [UInt8], _ id: IdentityMap.Key?) throws -> ObjectBase? {
    let transaction = try liveTransaction()
    return try key.withUnsafeBytes { key in
      if !isDecoding, let id, live[id] != nil { try flush() }
      if let object = try load(binding, key, transaction) { return object }
      if id == nil || isDecoding || changed.isEmpty { return nil }
      try flush()
      return try load(binding, key, transaction)
    }
  }

  /// Lets an object that is linked by one of this thread's write belong to the store at once, and not only at
  /// the next lookup.
  static func bringIn(_ object: ObjectBase) {
    for write in WritingThreads.scopes where object._context?.store == nil && write.failure == nil {
      do { _ = try write.flushSharing() } catch { write.fail(error) }
    }
  }

  private func load(
    _ binding: ObjectBinding,
    _ key: UnsafeRawBufferPointer,
    _ transaction: LMDB.Transaction
  ) throws -> ObjectBase? {
    tally.lookups &+= 1
    if writer.waiting != nil, binding.table.hasDerived, !isDecoding { try writer.flushTrees() }
    var bytes = 0
    let object = try decoding {
      try store.load(binding, key: key, from: transaction, context: context, bytes: &bytes)
    }
    if object != nil {
      tally.objects &+= 1
      costs.add(binding.table, bytes: bytes)
    }
    return object
  }

  /// Makes an object from bytes in a page. Its `init()` is the application's, and may read the store: waiting
  /// changes are not written meanwhile, or the page would move under the bytes.
  private func decoding<Value>(_ body: () throws -> Value) rethrows -> Value {
    let outer = isDecoding
    isDecoding = true
    defer { isDecoding = outer }
    return try body()
  }

  /// The live instance for a record that a scan has found.
  override func instance(of binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase {
    let id = IdentityMap.Key(table: binding.table.entry.id, key: row.key)
    if let known = live[id], binding.isOfClass(known) { return known }
    let object = try decoding { try decode(binding, row) }
    makeLive(object, binding, id)
    return object
  }

  /// Encodes objects, or values that may link new ones, and writes the objects; they are live from then on.
  ///
  /// - Parameters:
  ///   - update: the treatment of an object whose key exists.
  ///   - made: the objects that were made from values.
  ///   - encode: encodes them.
  package func encoding<Value>(
    update: UpdatePolicy,
    made: ObjectPlaces? = nil,
    _ encode: (ObjectGraph) throws -> Value
  ) throws -> Value {
    _ = try liveTransaction()
    try flush()
    return try withoutJoining { try encodeNow(update: update, made: made, encode) }
  }

  private func encodeNow<Value>(
    update: UpdatePolicy,
    made: ObjectPlaces?,
    _ encode: (ObjectGraph) throws -> Value
  ) throws -> Value {
    let given = GivenRowIDs()
    let graph = ObjectGraph(
      store: store,
      policy: update,
      made: made,
      own: context,
      given: given,
      rowIDs: rowID
    )
    let value: Value
    do {
      value = try encode(graph)
      // This write reserves the ids of its own saves. It reserves those of saves in writes that were rolled back too.
      graph.changes.claims = try store.claimedRowIDs.claims(on: given.shared, in: store).filter { claim in
        !claims.contains { $0 === claim }
      }
      try changing { try writer.perform(graph.changes, checkingFirst: !graph.changes.isAtomicByItself) }
    } catch {
      graph.droppedDefaults.restore()
      graph.unrevive()
      given.takeBack()
      throw error
    }
    claims += graph.changes.claims
    undo.note(given)
    if !graph.droppedDefaults.isEmpty { undo.droppedDefaults.append(graph.droppedDefaults) }
    try adopt(graph)
    return value
  }

  /// Calls a closure that goes through objects: they stay as they are until it returns.
  func withoutJoining<Value>(_ body: () throws -> Value) rethrows -> Value {
    let outer = joinsReadObjects
    joinsReadObjects = false
    defer { joinsReadObjects = outer }
    return try body()
  }

  /// Remembers a failure of a call that cannot throw; the write ends with it.
  func fail(_ error: any Error) { failure = failure ?? error }

  /// Completes the scope before the commit.
  ///
  /// - Throws: the first failure of a call that could not throw.
  package func finish() throws {
    if let failure { throw failure }
    try prepareForReading()
    try writer.finishTrees()
    try renewRecords()
  }

  /// A row id for a save that is left to the queue; the ids of the store's block are used up.
  func claimRowID(_ table: Table, for claims: RowIDClaims) throws -> Int64 {
    let id = try rowID(table)
    claims.add(id, of: table)
    if !self.claims.contains(where: { $0 === claims }) { self.claims.append(claims) }
    return id
  }

  func rowID(_ table: Table) throws -> Int64 {
    let type = table.entry.id
    if let id = store.rowIDs.next(for: type) { return id }
    if reservedRowIDs[type, default: 0..<0].isEmpty {
      reservedRowIDs[type] = try writer.reserveRowIDs(store.rowIDs.blockSize(for: type), for: table)
    }
    return reservedRowIDs[type, default: 0..<1].removeFirstID()
  }

  package override func end() {
    let mayHaveCycles = hasFollowedLinks && live.count > 1
    super.end()
    if unchanged != nil {
      placesSinceChange = RecentPlaces()
      unchanged = nil
    }
    // Released together, after the last access to this scope: an object's `deinit` may read
    // the store.
    let instances = live
    // An object that stayed listed would not be listed by the next scope, and its assignments there would be lost.
    for object in changed { object._isListedAsChanged = false }
    for alias in aliases.all {
      alias.object._isShared = false
      alias.live._isShared = false
    }
    do {
      let former = (owners, aliases, changed)
      live = IdentityMap()
      owners = [:]
      linkingParts = LinkingParts()
      aliases = Aliases()
      changed = []
      withExtendedLifetime(former) {}
    }
    if mayHaveCycles { ReferenceCycles.breakUp(instances.unmanaged, holders: 1) }
    withExtendedLifetime(instances) {}
  }

  /// Ends the write after the commit: the rest of the reserved row ids may be used by any writer, and nothing
  /// is rolled back.
  package func didCommit() {
    for (type, ids) in reservedRowIDs where !ids.isEmpty { store.rowIDs.add(ids, for: type) }
    reservedRowIDs = [:]
    claims.forEach { $0.confirm() }
    claims = []
    undo = ObjectUndo()
    formerRecords = FormerRecords()
    droppedPartLinks = DroppedPartLinks()
    restoreDrafts()
  }

  /// Calls a closure that may fail in the middle of its changes. The transaction then cannot be committed,
  /// whatever the caller makes of the error.
  package func changing<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      // These errors are found before the first change, or the changes are rolled back.
      let code = (error as? FiefError)?.code
      if code != .duplicatePrimaryKey, code != .objectNotFound, code != .deletionDenied { fail(error) }
      throw error
    }
  }

  /// Ends the scope in the middle of its closure; nothing of it is kept.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` where the write shares its transaction with others.
  func cancel() throws {
    guard mayBeCancelled else {
      throw FiefError(
        .transactionEnded,
        "A write that others may share a commit with is cancelled by an error that its closure throws.",
        store: store.name
      )
    }
    rollBack()
    isCancelled = true
  }

  /// Ends the scope of a transaction that was not committed: objects get the states from before it. Those
  /// that have joined it have their former values again, those that were read in it the stored ones; those
  /// that were added to it keep the values of their properties.
  package func rollBack() {
    if isCancelled { return }
    let own = isUsable ? context : nil
    var instances: [ObjectBase?] = own == nil ? [] : live.all.map(\.1)
    // Objects that only the write holds may have collections that are held elsewhere.
    let joined = former.map(\.object)
    end()
    // Before the former states: an object that has joined before the drop gets its older state after this.
    droppedPartLinks.restore()
    formerRecords.restore()
    undo.restore()
    for state in former.reversed() { state.restore() }
    for (collection, saved) in left.reversed() { collection.restore(saved) }
    left = []
    withExtendedLifetime(joined) {}
    former = []
    drafts = [:]
    if let own { reload(&instances, of: own) }
  }

  /// Makes the objects of a graph live. An instance that was live under the same key gets the new values.
  func adopt(_ graph: ObjectGraph) throws {
    savedGraphs &+= 1
    deletions += graph.revived.count
    var stamps = graph.stamps[...]
    var changed: [IdentityMap.Key] = []
    try graph.forEachObject { object, descriptor in
      let stamp = object is Object ? stamps.popFirst() ?? 0 : 0
      let isLive = object._context === context
      if !isLive { undo.note(object, wasDeleted: graph.revived.contains { $0 === object }) }
      // The rest is the stored object's.
      if !isLive, object is Object, graph.writesPart(of: object) {
        try readUnassigned(of: object, descriptor)
      }
      object.clearAssigned(descriptor)
      if object is Object { object._stamp = stamp }
      if descriptor.hasParts { object.expectPartsToBeHandedOut(descriptor) }
      if !descriptor.derivedProperties.isEmpty { try readDerived(of: object) }
      if isLive { return }
      object._context = context
      guard object is Object else {
        (object as? EmbeddedObject)?.noteOwnPlace()
        return
      }
      let binding = try store.binding(of: Swift.type(of: object))
      let id = IdentityMap.Key(table: binding.table.entry.id, key: try binding.key(of: object))
      if let known = live[id], known !== object {
        known.copyPersistedValues(from: object, descriptor: binding.descriptor)
        known.clearAssigned(binding.descriptor)
        // The copied values may be older than values that were derived meanwhile.
        if binding.table.hasDerived { try readDerived(of: known) }
        aliases.insert(object, besides: known, id)
        if known._isShared { changed.append(id) }
      } else {
        _ = live.insert(object, for: id)
      }
    }
    // Now that what they link is live.
    for part in graph.parts { noteLinks(of: part, part.descriptor) }
    for id in changed { try refreshInstances(of: id) }
  }
}
