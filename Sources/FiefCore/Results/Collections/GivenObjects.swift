import LMDB

/// The objects of a collection that no store has, and a store in memory with copies of them that is asked in its place.
///
/// Results are the objects themselves on the thread that they were given on, and copies on others.
// SAFETY: all fields are constant, and the objects are handed out on one thread.
final class GivenObjects: GivenStore, @unchecked Sendable {
  let store: StoreCore
  /// The objects, in their order and each as often as it was given.
  let members: QueryMembers
  private let thread = AccessScope.currentThread
  private let objects: [[UInt8]: ObjectBase]
  private let keys: [ObjectIdentifier: ObjectKey]
  /// The embedded objects, where these were given.
  private let parts: [EmbeddedObject]
  /// The keys that copies have of objects without a primary key, by those that the objects have where they are stored.
  private let copied: CopiedKeys

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
      copied = try CopiedKeys(made, in: store)
    } catch {
      store.close(callsHandlers: false)
      throw error
    }
  }

  /// - Throws: ``FiefError`` for classes that cannot be stored, and linked objects that cannot be saved together.
  init<Part: EmbeddedObject>(parts given: [Part]) throws {
    var made = DeepCopies(taking: .none)
    let copies = given.map { made.copy(of: $0) }
    made.fill()
    let classes = Self.linked(from: Part.self, made)
    store = try Self.store(of: classes, Part.self)
    do {
      try Self.save(made, classes, in: store)
      let graph = ObjectGraph(store: store, policy: .error, given: GivenRowIDs()) { _ in 0 }
      var payload = ValueWriter(graph: graph)
      try CollectionCoding.append(copies, to: &payload)
      var members = QueryMembers(type: Part.className(), key: ObjectKey(bytes: []), path: [])
      members.given = payload.bytes
      objects = [:]
      keys = [:]
      self.members = members
      parts = given
      copied = try CopiedKeys(made, in: store)
    } catch {
      store.close(callsHandlers: false)
      throw error
    }
  }

  deinit { store.close(callsHandlers: false) }

  /// The key of an object that was given, or of one that is the same in a store; nil for others.
  func key(of object: ObjectBase) throws -> ObjectKey? {
    if let key = keys[ObjectIdentifier(object)] { return key }
    guard let key = try object.keyInQueries else { return nil }
    guard object.descriptor.primaryKey.isEmpty else { return key }
    return try copied.key(of: Swift.type(of: object).className(), key)
  }

  /// The same question, about the copies in place of the objects that it names.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for an object that has no identity.
  func question(_ description: QueryDescription) throws -> QueryDescription {
    guard let condition = description.condition else { return description }
    var result = description
    result.condition = try condition.mappingValues(copied.value)
    return result
  }

  /// The embedded objects at some places; nil on another thread.
  func parts<Part>(at places: some Sequence<Int>, as type: Part.Type) -> [Part]? {
    guard thread == AccessScope.currentThread else { return nil }
    return places.compactMap { parts.indices.contains($0) ? parts[$0] as? Part : nil }
  }

  /// A scope that finds the objects; nil on another thread.
  func scope(_ transaction: LMDB.Transaction) -> AccessScope? {
    thread == AccessScope.currentThread ? GivenScope(self, transaction) : nil
  }

  fileprivate func object(_ key: UnsafeRawBufferPointer, of binding: ObjectBinding) -> ObjectBase? {
    binding.table.name == members.type ? objects[[UInt8](key)] : nil
  }

  // MARK: The store

  /// Beyond the row ids of other stores, so that an object of these in a question is none of the copies.
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

  /// A class and those that its objects can lead to, with those that the copies have as values of any type.
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

  /// Saves the objects among copies; no queue and no other write is waited for, since no one else has the store.
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

/// A transaction in which the objects of a collection that no store has are found.
private final class GivenScope: AccessScope {
  private let given: GivenObjects

  init(_ given: GivenObjects, _ transaction: LMDB.Transaction) {
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

/// A collection of links.
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
  /// The class that the property links, of one object or of many.
  fileprivate var linkedClass: ObjectBase.Type? {
    if let one = field.valueType as? any RealmCollectionValue.Type { return one._linkType }
    return (field.valueType as? any LinkElements.Type)?.linkedClass
  }
}

extension ObjectContext {
  /// The objects of a collection that no store has, which are found in a store that was made for it.
  // SAFETY: ``GivenObjects`` are the only such stores.
  var given: GivenObjects? { givenStore.map { unsafeDowncast($0, to: GivenObjects.self) } }
}
