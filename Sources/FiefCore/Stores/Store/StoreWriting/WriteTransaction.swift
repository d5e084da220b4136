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
  /// The work of the write itself that is in progress.
  struct Activity: OptionSet {
    let rawValue: UInt8

    /// An object is being decoded from bytes in a page.
    static let decoding = Activity(rawValue: 1)
    /// Assigned values are being written.
    static let flushing = Activity(rawValue: 2)
    /// The write visits objects. They do not join it meanwhile.
    static let visiting = Activity(rawValue: 4)
  }

  enum Cancellation {
    /// The closure may not cancel the write, because it may share its commit with other writes.
    case refused
    case allowed
    /// The closure has cancelled the write, which has ended.
    case done
  }

  /// The maximum number of changed objects that wait to be written together.
  static let mostChanged = 16_384

  package let writer: RecordWriter
  @exclusivity(unchecked) private(set) var live = IdentityMap()
  // Accesses to the unchecked properties cannot overlap: each is a read, an assignment or a call that runs no
  // code of the application. An assignment stores the new value before it releases the former one. The other
  // properties are checked, because their methods may release objects while they change.
  @exclusivity(unchecked) var changed: [ObjectBase] = []
  /// The owners of parts that were returned to the application. A part refers to its owner weakly, and in
  /// `club().members.append(dog)` nothing else holds the owner when the part is changed.
  @exclusivity(unchecked) private var owners: [ObjectIdentifier: ObjectBase] = [:]
  var linkingParts = PartLinkIndex()
  /// The number of times that objects were saved. A key that was not found before may exist after another
  /// save.
  @exclusivity(unchecked) var savedGraphs = 0
  /// The number of times that the write deleted live objects or stored deleted objects again.
  @exclusivity(unchecked) var deletions = 0
  /// Whether the write has deleted live objects.
  var hasDeleted: Bool { deletions > 0 }
  var aliases = Aliases()

  /// Row ids that are valid only if this transaction commits.
  let rowIDs: WriteRowIDs
  @exclusivity(unchecked) private(set) var failure: (any Error)?
  @exclusivity(unchecked) private(set) var activity: Activity = []
  /// The changes of objects in memory, which a rollback undoes.
  let undo = UndoLog()
  /// The objects whose collections were kept for the deletion.
  @exclusivity(unchecked) var keptObjects: Set<ObjectIdentifier> = []
  /// The context that deleted objects get.
  private(set) lazy var deletedContext = ObjectContext(.deleted(from: store))
  /// The former states of objects that had unsaved assignments before the write.
  var drafts: [ObjectIdentifier: UndoRecord] = [:]

  /// The keys of rows that look-ups by index have found since the last change.
  @exclusivity(unchecked) var knownPlaces: (keys: RecentPlaces, since: UnchangedWrite)?
  @exclusivity(unchecked) var cancellation = Cancellation.refused

  package init(store: StoreCore, writer: RecordWriter) {
    self.writer = writer
    rowIDs = WriteRowIDs(store, writer)
    super.init(store: store, transaction: writer.transaction)
    if store.tables.hasDerived {
      writer.didDerive = { [weak self] in try self?.didDerive($0, key: $1, record: $2) }
    }
  }

  /// Calls a closure, during which the write has an activity.
  @inline(__always)
  func during<Value>(_ activity: Activity, _ body: () throws -> Value) rethrows -> Value {
    let outer = self.activity
    self.activity.insert(activity)
    defer { self.activity = outer }
    return try body()
  }

  override func prepareForReading() throws {
    if activity.contains(.decoding) { return }
    try flush()
    try writer.flushTrees()
  }

  /// Called before a derived property of a live object is read.
  func prepareForReadingDerived(of object: ObjectBase) throws {
    if !activity.isDisjoint(with: [.decoding, .flushing]) { return }
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
    if changed.count >= Self.mostChanged, !activity.contains(.decoding) { try flush() }
    var object = try load(binding, key, transaction)
    if object == nil, !changed.isEmpty, !activity.contains(.decoding) {
      // A changed object may link a new object, which is written with it.
      try flush()
      if let known = live[id] { return known }
      object = try load(binding, key, transaction)
    }
    if let object { makeLive(object, binding, id) }
    return object
  }

  /// Returns the live instance for a record that a scan has found.
  override func instance(of binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase {
    let id = IdentityMap.Key(table: binding.table.entry.id, key: row.key)
    if let known = live[id], binding.isOfClass(known) { return known }
    let object = try decoding { try decode(binding, row) }
    makeLive(object, binding, id)
    return object
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

  package override func end() {
    let mayHaveCycles = hasFollowedLinks && live.count > 1
    super.end()
    knownPlaces = nil
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
      linkingParts = PartLinkIndex()
      aliases = Aliases()
      changed = []
      withExtendedLifetime(former) {}
    }
    if mayHaveCycles { ReferenceCycles.breakUp(instances.unmanaged, holders: 1) }
    withExtendedLifetime(instances) {}
  }
}
