import LMDB

/// The scope of a `write { }`: one transaction, in which objects are live.
///
/// Inside of the scope, a key always has the same instance, and assigning to a property changes the store. An
/// object that was read before, or added by an earlier write, joins the write when you first use it there,
/// and shows the state of the write from then on. If several instances of an object have joined, each shows
/// the assignments to the others.
///
/// When the closure returns, everything is committed together; when it throws, nothing is. The closure may
/// run again from its start if the store has to grow, so keep its effects on the outside world out of it.
public final class WriteTransaction: AccessScope {
  /// The maximum number of changed objects that wait to be written together.
  private static let mostChanged = 16_384

  package let writer: RecordWriter
  @exclusivity(unchecked) private(set) var live = IdentityMap()
  // Accesses to the unchecked properties cannot overlap: each is a read, an assignment or a call that runs no
  // code of the application. An assignment stores the new value before it releases the former one. The other
  // properties are checked, because their methods may release objects while they change.
  @exclusivity(unchecked) var changed: [ObjectBase] = []
  /// The owners of parts that were returned to the application. A part refers to its owner weakly, and in
  /// `club().members.append(dog)` nothing else holds the owner when the part is changed.
  @exclusivity(unchecked) private var owners: [ObjectIdentifier: ObjectBase] = [:]
  var linkingParts = LinkingParts()
  /// The number of times that objects were saved. A key that was not found before may exist after another
  /// save.
  @exclusivity(unchecked) private(set) var savedGraphs = 0
  /// The number of times that the write deleted live objects or stored deleted objects again.
  @exclusivity(unchecked) var deletions = 0
  /// Whether the write has deleted live objects.
  var hasDeleted: Bool { deletions > 0 }
  var aliases = Aliases()

  /// Row ids that are valid only if this transaction commits.
  @exclusivity(unchecked) private var reservedRowIDs: [UInt32: Range<Int64>] = [:]
  @exclusivity(unchecked) private(set) var failure: (any Error)?
  /// Whether an object is being decoded from bytes in a page.
  @exclusivity(unchecked) private(set) var isDecoding = false
  @exclusivity(unchecked) var isFlushing = false
  /// Whether objects join when they are read. They do not join while the write itself visits objects.
  @exclusivity(unchecked) private(set) var joinsReadObjects = true
  /// The changes of objects in memory, which a rollback undoes.
  let undo = UndoLog()
  /// The objects whose collections were kept for the deletion.
  @exclusivity(unchecked) var keptObjects: Set<ObjectIdentifier> = []
  /// The row ids of saves that were submitted to the queue during this write.
  @exclusivity(unchecked) private var claims: [RowIDClaims] = []
  /// The context that deleted objects get.
  private(set) lazy var deletedContext = ObjectContext(.deleted(from: store))
  /// The former states of objects that had unsaved assignments before the write.
  var drafts: [ObjectIdentifier: FormerState] = [:]

  /// The keys of rows that look-ups by index have found since the last change.
  lazy var placesSinceChange = RecentPlaces()
  @exclusivity(unchecked) var unchanged: UnchangedWrite?

  /// Whether the closure has cancelled the write, which has ended.
  @exclusivity(unchecked) private(set) var isCancelled = false
  /// Whether the closure may cancel the write.
  @exclusivity(unchecked) var mayBeCancelled = false

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
    // Derived values are set only on the live instance.
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
      // A changed object may link a new object, which is written with it.
      try flush()
      if let known = live[id] { return known }
      object = try load(binding, key, transaction)
    }
    if let object { makeLive(object, binding, id) }
    return object
  }

  /// Returns the live instance of an object that was read elsewhere. Returns nil if the object is already
  /// live or does not exist, or if it has unsaved assignments.
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

  /// Makes an object that has joined the transaction the live instance, or an alias of it.
  func makeLive(_ object: ObjectBase, _ id: IdentityMap.Key) {
    guard let known = live[id], known !== object else {
      _ = live.insert(object, for: id)
      return
    }
    aliases.insert(object, besides: known, id)
    object._isShared = true
    known._isShared = true
  }

  /// Returns an instance of the stored object with a key that is not live, or nil if the object does not
  /// exist. The instance includes waiting changes.
  ///
  /// - Parameter id: the identity of the live instance; nil if it is known to have no waiting changes.
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

  /// Makes an object belong to the store as soon as an object of this thread's write links it, instead of at
  /// the next look-up.
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

  /// Decodes an object from bytes in a page. Its `init()` belongs to the application and may read the store.
  /// Waiting changes are not written meanwhile, because the page would move under the bytes.
  private func decoding<Value>(_ body: () throws -> Value) rethrows -> Value {
    let outer = isDecoding
    isDecoding = true
    defer { isDecoding = outer }
    return try body()
  }

  /// Returns the live instance for a record that a scan has found.
  override func instance(of binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase {
    let id = IdentityMap.Key(table: binding.table.entry.id, key: row.key)
    if let known = live[id], binding.isOfClass(known) { return known }
    let object = try decoding { try decode(binding, row) }
    makeLive(object, binding, id)
    return object
  }

  /// Encodes objects, or values that may link new objects, and writes the objects. Afterwards the objects are
  /// live.
  ///
  /// - Parameters:
  ///   - update: the treatment of an object whose key exists.
  ///   - made: the objects that were created from values.
  ///   - encode: encodes the objects or values.
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
      SaveOptions(update, seeing: nil),
      made: made,
      in: self,
      given: given,
      rowIDs: rowID
    )
    let value: Value
    do {
      value = try undo.step {
        let value = try encode(graph)
        // This write reserves the ids of its own saves, and also the ids of saves in writes that were rolled
        // back.
        graph.changes.claims = try store.claimedRowIDs.claims(on: given.shared, in: store).filter { claim in
          !claims.contains { $0 === claim }
        }
        try changing { try writer.perform(graph.changes, checkingFirst: !graph.changes.isAtomicByItself) }
        return value
      }
    } catch {
      given.takeBack()
      throw error
    }
    claims += graph.changes.claims
    note(given)
    try adopt(graph)
    return value
  }

  /// Calls a closure that visits objects. The objects do not join the write meanwhile.
  func withoutJoining<Value>(_ body: () throws -> Value) rethrows -> Value {
    let outer = joinsReadObjects
    joinsReadObjects = false
    defer { joinsReadObjects = outer }
    return try body()
  }

  /// Records a failure of a call that cannot throw. The write fails with the first one.
  func fail(_ error: any Error) { failure = failure ?? error }

  /// Completes the scope before the commit.
  ///
  /// - Throws: the first failure of a call that could not throw; ``FiefError`` if waiting changes cannot be
  ///   written.
  package func finish() throws {
    if let failure { throw failure }
    try prepareForReading()
    try writer.finishTrees()
    try renewRecords()
  }

  /// Returns a row id for a save that is submitted to the queue, after the ids of the store's block were used
  /// up.
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
    // Released together, after the last access to this scope, because the `deinit` of an object may read the
    // store.
    let instances = live
    // An object that stayed listed would not be listed by the next scope, and its assignments there would be
    // lost.
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

  /// Ends the write after the commit. Any writer may use the rest of the reserved row ids, and nothing can be
  /// rolled back any more.
  package func didCommit() {
    for (type, ids) in reservedRowIDs where !ids.isEmpty { store.rowIDs.add(ids, for: type) }
    reservedRowIDs = [:]
    claims.forEach { $0.confirm() }
    claims = []
    undo.removeAll()
    restoreDrafts()
  }

  /// Calls a closure that may fail in the middle of its changes. If it fails, the transaction cannot be
  /// committed, even if the caller ignores the error.
  package func changing<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      // These errors are found before the first change, or the changes are rolled back.
      let code = (error as? FiefError)?.code
      if code != .duplicatePrimaryKey, code != .objectNotFound, code != .deletionDenied { fail(error) }
      throw error
    }
  }

  /// Ends the scope in the middle of its closure, and discards its changes.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` if the write shares its transaction with other
  ///   writes.
  func cancel() throws {
    guard mayBeCancelled else {
      throw FiefError(
        .transactionEnded,
        "To cancel a write that may share its commit with other writes, throw an error from its closure.",
        store: store.name
      )
    }
    rollBack()
    isCancelled = true
  }

  /// Ends the scope of a transaction that was not committed, and restores the objects. Objects that have
  /// joined the transaction get their former values, and objects that were read in it get the stored values.
  /// Objects that were added to it keep the values of their properties.
  package func rollBack() {
    if isCancelled { return }
    let own = isUsable ? context : nil
    var instances: [ObjectBase?] = own == nil ? [] : live.all.map(\.1)
    // Objects that only the write holds may have collections that are held elsewhere.
    let joined = undo.joined
    end()
    undo.undo()
    withExtendedLifetime(joined) {}
    drafts = [:]
    if let own { reload(&instances, of: own) }
  }

  /// Notes that the write uses row ids that were assigned to objects, by the write or by a waiting save.
  func note(_ given: GivenRowIDs) {
    for object in given.objects { undo.append(.rowIDUse, of: object) }
    for object in given.shared { undo.append(.rowIDUse, of: object) }
  }

  /// Notes an object that becomes live.
  @inline(__always)
  private func note(_ object: ObjectBase, _ descriptor: ObjectDescriptor) {
    // New objects have neither a record nor a stamp.
    if object._source != 0, object is Object {
      undo.append(object._record.map { .record($0) } ?? .stamp(object._stamp), of: object)
    }
    undo.append(.identity(FormerIdentity(object, descriptor)), of: object)
  }

  /// Makes the objects of a graph live. If another instance was live under the same key, it gets the new
  /// values.
  func adopt(_ graph: ObjectGraph) throws {
    savedGraphs &+= 1
    deletions += graph.revived.count
    var stamps = graph.stamps[...]
    var changed: [IdentityMap.Key] = []
    try graph.forEachObject { object, descriptor in
      let stamp = object is Object ? stamps.popFirst() ?? 0 : 0
      let isLive = object._context === context
      if !isLive { note(object, descriptor) }
      // The other values come from the stored object.
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
    // This comes after the linked objects have become live.
    for part in graph.parts { noteLinks(of: part, part.descriptor) }
    for id in changed { try refreshInstances(of: id) }
  }
}
