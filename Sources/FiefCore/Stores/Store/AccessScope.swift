import LMDB

/// The common part of `read { }` and `write { }`: one LMDB transaction on one thread, for a limited time.
///
/// Objects that leave the scope keep their values and collections. Their links then resolve to the newest
/// state.
public class AccessScope {
  package let store: StoreCore
  private let thread: UInt
  // Every read of an object reads both fields. They are only assigned, never modified in place, so accesses
  // cannot overlap.
  @exclusivity(unchecked) private var isOpen = true
  /// The context of the scope. The scope and its context refer to each other until the scope ends.
  // SAFETY: retained once, by `context`, until `end()`. A strong property would be retained and released for
  // each object that is read.
  @exclusivity(unchecked) private var scopeContext: Unmanaged<ObjectContext>?
  private let transaction: LMDB.Transaction
  /// The types that the repository of the scope declares; nil if it declares all types of the store.
  @exclusivity(unchecked) package final var visible: VisibleTypes?
  /// The loops that continue after the end of the scope; nil if no loop may continue.
  @exclusivity(unchecked) private var loops: RowLoops?
  /// The count of reads in the scope.
  @exclusivity(unchecked) final var tally = ReadTally()
  /// The costs of the reads in the scope.
  @exclusivity(unchecked) package final var costs = ReadCosts()

  init(store: StoreCore, transaction: LMDB.Transaction) {
    self.store = store
    self.transaction = transaction
    self.thread = currentThread()
  }

  /// Whether the scope has not ended and the current thread is its thread.
  @inline(__always) final var isUsable: Bool { thread == currentThread() && isOpen }

  /// Whether links were followed in the scope, so that objects may refer to each other.
  final var hasFollowedLinks: Bool { tally.links > 0 }

  /// Makes the loops of the scope find the keys of their remaining rows when the scope ends.
  final func keepLoopsAtEnd() { loops = RowLoops() }

  /// Adds a loop whose rows are kept at the end of the scope. Returns false if no loop may continue after the
  /// scope.
  final func addLoop(_ loop: any RowLoop) -> Bool {
    loops?.add(loop)
    return loops != nil
  }

  /// Ends the scope. Objects that outlive the scope may still refer to it, but an ended scope is empty.
  func end() {
    if var ending = loops {
      // The loops read in the scope, so they are removed from it first.
      loops = RowLoops()
      ending.keepAll()
    }
    isOpen = false
    store.counters.add(tally, costs)
    tally = ReadTally()
    costs = ReadCosts()
    guard let context = scopeContext else { return }
    scopeContext = nil
    context.release()
  }

  /// Returns the LMDB transaction.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` after the scope or on another thread.
  @inline(__always)
  package final func liveTransaction() throws -> LMDB.Transaction {
    if isUsable { return transaction }
    throw endedError
  }

  private final var endedError: FiefError {
    FiefError(
      .transactionEnded,
      "The scope of the transaction has ended, or this is another thread.",
      store: store.name
    )
  }

  /// The context of objects that are read in this scope. After the scope has ended, it is a context of the
  /// newest state.
  package final var context: ObjectContext {
    if let scopeContext { return scopeContext.takeUnretainedValue() }
    guard isUsable else { return ObjectContext(store: store, visible: visible) }
    let context = ObjectContext(store: store, scope: self, visible: visible)
    scopeContext = .passRetained(context)
    return context
  }

  /// Called before a read in the scope.
  func prepareForReading() throws {}

  /// Returns the object with a key, or nil if it does not exist.
  package func object(of binding: ObjectBinding, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    try load(binding, key: key)
  }

  /// Decodes the object with a key, or returns nil if it does not exist.
  @inline(__always)
  final func load(_ binding: ObjectBinding, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    let transaction = try liveTransaction()
    tally.lookups &+= 1
    var bytes = 0
    let object: ObjectBase?
    if let scopeContext {
      // The scope does not end during the call, so the context stays alive.
      object = try scopeContext._withUnsafeGuaranteedRef {
        try store.load(binding, key: key, from: transaction, context: $0, bytes: &bytes)
      }
    } else {
      object = try store.load(binding, key: key, from: transaction, context: context, bytes: &bytes)
    }
    if object != nil {
      tally.objects &+= 1
      costs.add(binding.table, bytes: bytes)
    }
    return object
  }

  /// Returns the scope's object for a record that was found.
  final func instance(
    of binding: ObjectBinding,
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer
  ) throws -> ObjectBase {
    try instance(of: binding, try QueryRow(key: key, record: record, of: binding.table))
  }

  /// Returns the scope's object for a row that was found.
  func instance(of binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase { try decode(binding, row) }

  /// Decodes the object of a row.
  @inline(__always)
  final func decode(_ binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase {
    tally.objects &+= 1
    costs.add(binding.table, bytes: row.key.count &+ row.view.bytes.count)
    if let scopeContext {
      // The scope does not end during the call, so the context stays alive.
      return try scopeContext._withUnsafeGuaranteedRef {
        try binding.decode(key: row.key, view: row.view, layout: row.layout, context: $0)
      }
    }
    return try binding.decode(key: row.key, view: row.view, layout: row.layout, context: context)
  }

  /// Returns the object with a primary key, or `nil` if it does not exist.
  ///
  /// - Parameters:
  ///   - type: a class of the store.
  ///   - key: the primary key; for a compound key an array of its parts.
  /// - Throws: ``FiefError`` if the store does not have the type, the key is of the wrong type, or the record
  ///   is damaged.
  public final func object<Element: Object>(ofType type: Element.Type, forPrimaryKey key: Any) throws
    -> Element?
  {
    if let visible { try visible.check(type, in: store) }
    return try store.keptBinding(of: type)._withUnsafeGuaranteedRef { binding in
      let key = try binding.key(fromPrimaryKey: key, store: store.name)
      do {
        guard let object = try key.withUnsafeBytes({ try object(of: binding, key: $0) }) else {
          costs.add(binding.table)
          return nil
        }
        return object.cast(to: type)
      } catch {
        throw store.described(error, type: binding.table.name)
      }
    }
  }

  /// Returns whether an object with a primary key exists. No object is created.
  public final func exists<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws -> Bool {
    if let visible { try visible.check(type, in: store) }
    try prepareForReading()
    let binding = try store.binding(of: type)
    let key = try binding.key(fromPrimaryKey: key, store: store.name)
    costs.add(binding.table)
    do {
      return try key.withUnsafeBytes { try store.contains(binding.table, key: $0, in: try liveTransaction()) }
    } catch {
      throw store.described(error, type: binding.table.name)
    }
  }

  /// Returns the number of objects of a type.
  public final func count<Element: Object>(_ type: Element.Type) throws -> Int {
    if let visible { try visible.check(type, in: store) }
    try prepareForReading()
    let table = try store.binding(of: type).table
    costs.add(table)
    do { return try store.count(table, in: try liveTransaction()) } catch {
      throw store.described(error, type: table.name)
    }
  }
}

extension AccessScope {
  /// Returns the scope, restricted to the types of a repository.
  @inline(__always)
  package final func seeing(_ visible: VisibleTypes?) -> Self {
    if let visible { self.visible = visible }
    return self
  }
}
