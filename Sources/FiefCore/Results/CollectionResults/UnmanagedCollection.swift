import LMDB

/// The objects of a collection that is not in a store. Queries use copies of them in a temporary store in
/// memory.
///
/// On the thread that created the results, they return the original objects; on other threads they return the
/// copies.
// SAFETY: all fields are constant, and the original objects are returned on only one thread.
final class UnmanagedCollection: TemporaryStore, @unchecked Sendable {
  let store: StoreCore
  /// The objects in their order, each as often as it occurs in the collection.
  let members: QueryMembers
  private let thread = currentThread()
  private let objects: [[UInt8]: ObjectBase]
  private let keys: [ObjectIdentifier: ObjectKey]
  /// The embedded objects, if the collection has embedded objects.
  private let parts: [EmbeddedObject]
  /// The keys of the copies of objects without a primary key, by the keys of the originals in their stores.
  private let copied: CopyKeys

  /// - Throws: ``FiefError`` for classes that cannot be stored, and objects that cannot be saved together.
  init<Member: Object>(_ given: [Member]) throws {
    var made = DeepCopies(taking: .none)
    let copies = given.map { made.copy(of: $0) }
    made.fill()
    let classes = Self.linked(from: Member.self, made)
    store = try Self.store(of: classes)
    do {
      try Self.save(made, classes, in: store)
      let binding = try store.binding(of: Member.self)
      var objects: [[UInt8]: ObjectBase] = [:]
      var keys: [ObjectIdentifier: ObjectKey] = [:]
      var payload = ValueWriter()
      payload.appendCount(given.count)
      for (object, copy) in zip(given, copies) {
        let key = try binding.key(of: copy)
        if objects[key] == nil { objects[key] = object }
        keys[ObjectIdentifier(object)] = ObjectKey(bytes: key)
        payload.appendSized { $0.append(key) }
      }
      var members = QueryMembers(type: Member.className(), key: ObjectKey(bytes: []), path: [])
      members.given = payload.bytes
      self.objects = objects
      self.keys = keys
      self.members = members
      parts = []
      copied = try CopyKeys(made, in: store)
    } catch {
      store.close(callsHandlers: false)
      throw error
    }
  }

  /// - Throws: ``FiefError`` for classes that cannot be stored, and linked objects that cannot be saved
  ///   together.
  init<Part: EmbeddedObject>(parts given: [Part]) throws {
    var made = DeepCopies(taking: .none)
    let copies = given.map { made.copy(of: $0) }
    made.fill()
    let classes = Self.linked(from: Part.self, made)
    store = try Self.store(of: classes, Part.self)
    do {
      try Self.save(made, classes, in: store)
      let options = SaveOptions(.error, seeing: nil)
      let graph = ObjectGraph(store: store, options, given: ProvisionalRowIDs()) { _ in 0 }
      var payload = ValueWriter(graph: graph)
      try CollectionCoding.append(copies, to: &payload)
      var members = QueryMembers(type: Part.className(), key: ObjectKey(bytes: []), path: [])
      members.given = payload.bytes
      objects = [:]
      keys = [:]
      self.members = members
      parts = given
      copied = try CopyKeys(made, in: store)
    } catch {
      store.close(callsHandlers: false)
      throw error
    }
  }

  deinit { store.close(callsHandlers: false) }

  /// Returns the key of an object of the collection, or of a stored object that was copied; `nil` for other
  /// objects.
  func key(of object: ObjectBase) throws -> ObjectKey? {
    if let key = keys[ObjectIdentifier(object)] { return key }
    guard let key = try object.keyInQueries else { return nil }
    guard object.descriptor.primaryKey.isEmpty else { return key }
    return try copied.key(of: Swift.type(of: object).className(), key)
  }

  /// Returns the same query with objects replaced by their copies.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for an object without an identity.
  func question(_ description: QueryDescription) throws -> QueryDescription {
    guard let condition = description.condition else { return description }
    var result = description
    result.condition = try condition.mappingValues(copied.value)
    return result
  }

  /// Returns the embedded objects at some indexes, or `nil` on another thread.
  func parts<Part>(at places: some Sequence<Int>, as type: Part.Type) -> [Part]? {
    guard thread == currentThread() else { return nil }
    return places.compactMap { parts.indices.contains($0) ? parts[$0] as? Part : nil }
  }

  /// Returns a scope in which keys give the original objects, or `nil` on another thread.
  func scope(_ transaction: LMDB.Transaction) -> AccessScope? {
    thread == currentThread() ? UnmanagedScope(self, transaction) : nil
  }

  fileprivate func object(_ key: UnsafeRawBufferPointer, of binding: ObjectBinding) -> ObjectBase? {
    binding.table.name == members.type ? objects[[UInt8](key)] : nil
  }

  // MARK: The store

  /// The first row id of the copies. It is higher than the row ids of other stores, so that an object of
  /// another store in a query is never mistaken for a copy.
  private static let firstRowID: Int64 = 1 << 48

  private static func store(of classes: [Object.Type], _ part: EmbeddedObject.Type? = nil) throws -> StoreCore
  {
    let name = "no store"
    var embedded = try DefaultSchema.embeddedTypes(usedBy: classes)
    if let part { embedded += try DefaultSchema.embeddedTypes(usedBy: part) + [part] }
    var options = StoreOptions()
    options.verification = .quick
    var configuration = StoreConfiguration(
      name: name,
      memoryType: .inMemory(identifier: nil),
      parentDirectory: nil,
      schemaVersion: 0,
      schema: try DeclaredSchema(
        objects: classes,
        embedded: embedded,
        store: name
      ),
      migrationBlock: nil,
      migrationPlan: nil,
      options: options
    )
    configuration.sandbox = StoreSandbox.current.last
    let directory = try StoreLocation.makeInMemoryDirectory()
    do {
      return StoreCore(
        opened: try StoreOpening.open(configuration, directory: directory, isInMemory: true)
      )
    } catch {
      try? StoreLocation.removeDirectory(directory)
      throw error
    }
  }

  /// Returns a class, all classes to which its objects can link directly or indirectly, and the classes of
  /// copies in `AnyRealmValue`s.
  private static func linked(from type: ObjectBase.Type, _ copies: DeepCopies) -> [Object.Type] {
    var found: [Object.Type] = []
    var seen: Set<String> = []
    var copied: [ObjectIdentifier: ObjectBase.Type] = [:]
    for (_, copy) in copies.pairs { copied[ObjectIdentifier(Swift.type(of: copy))] = Swift.type(of: copy) }
    var pending = [type] + copied.values
    while let next = pending.popLast() {
      guard seen.insert(next.className()).inserted else { continue }
      if let object = next as? Object.Type { found.append(object) }
      for property in ObjectDescriptor.of(next).properties {
        guard let target = property.type.target, !seen.contains(target) else { continue }
        if let linked = property.linkedClass, linked.className() == target {
          pending.append(linked)
        } else {
          pending += named(target)
        }
      }
    }
    return found
  }

  private static func named(_ name: String) -> [ObjectBase.Type] {
    let known = LinkedTypes.subclasses(of: Object.self) + LinkedTypes.subclasses(of: EmbeddedObject.self)
    return known.lazy.compactMap { $0 as? ObjectBase.Type }.first { $0.className() == name }.map { [$0] }
      ?? []
  }

  /// Saves the copied objects. This waits for no queue and no other write, because nothing else uses the
  /// store.
  private static func save(_ copies: DeepCopies, _ classes: [Object.Type], in store: StoreCore) throws {
    // SAFETY: the closure is called on this thread, before `execute` returns.
    nonisolated(unsafe) let unsaved = copies.pairs.compactMap { $0.copy as? Object }
    var works = try classes.filter { ObjectDescriptor.of($0).primaryKey.isEmpty }.map {
      WriteWork.reserveRowIDs(try store.binding(of: $0).table, count: firstRowID)
    }
    works.append(.body({ try $0.add(unsaved) }))
    for result in store.execute(works) { _ = try result.get() }
  }
}

/// A scope in which keys give the original objects of a collection that is not in a store.
private final class UnmanagedScope: AccessScope {
  private let given: UnmanagedCollection

  init(_ given: UnmanagedCollection, _ transaction: LMDB.Transaction) {
    self.given = given
    super.init(store: given.store, transaction: transaction)
  }

  override func object(of binding: ObjectBinding, key: UnsafeRawBufferPointer) throws -> ObjectBase? {
    if let object = given.object(key, of: binding) { return object }
    return try store.load(binding, key: key, from: try liveTransaction(), context: store.newestContext)
  }

  override func instance(of binding: ObjectBinding, _ row: QueryRow) throws -> ObjectBase {
    if let object = given.object(row.key, of: binding) { return object }
    return try binding.decode(
      key: row.key,
      view: row.view,
      layout: row.layout,
      context: store.newestContext
    )
  }
}

/// A collection that may contain links.
private protocol LinkElements {
  static var linkedClass: ObjectBase.Type? { get }
}

extension List: LinkElements {
  fileprivate static var linkedClass: ObjectBase.Type? { Element._linkType }
}

extension MutableSet: LinkElements {
  fileprivate static var linkedClass: ObjectBase.Type? { Element._linkType }
}

extension Map: LinkElements {
  fileprivate static var linkedClass: ObjectBase.Type? { Value._linkType }
}

extension PropertyDescriptor {
  /// The class that the property links to, through a single link or a collection.
  fileprivate var linkedClass: ObjectBase.Type? {
    if let one = field.valueType as? any RealmCollectionValue.Type { return one._linkType }
    return (field.valueType as? any LinkElements.Type)?.linkedClass
  }
}

extension ObjectContext {
  /// The objects of a collection that belongs to no store, for contexts of a temporary store.
  // SAFETY: ``UnmanagedCollection`` is the only class of such stores.
  var given: UnmanagedCollection? { givenStore.map { unsafeDowncast($0, to: UnmanagedCollection.self) } }
}
