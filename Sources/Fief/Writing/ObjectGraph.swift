/// What is reachable from the objects of one save, encoded on the caller's side.
///
/// New objects that are linked are saved too, changed ones as well; those that came from the store and
/// were not changed are linked only.
final class ObjectGraph {
  private let store: StoreCore
  private let policy: UpdatePolicy
  private let places: ObjectPlaces?
  private let rowIDs: (Table) throws -> Int64
  private let given: GivenRowIDs
  private(set) var changes = PreparedChanges()
  /// Every object that the save writes.
  private(set) var objects: [ObjectBase] = []
  private var scheduled: Set<ObjectIdentifier> = []
  /// The index of the next object to be encoded.
  private var next = 0
  /// Objects of which the keys are known only. They come last, when the objects of the save exist.
  private var references: [ObjectBase] = []

  /// - Parameters:
  ///   - given: remembers the objects that get a row id.
  ///   - places: where in a document the objects stand; nil where there is none.
  ///   - rowIDs: gives the next row id of a type.
  init(
    store: StoreCore,
    policy: UpdatePolicy,
    places: ObjectPlaces? = nil,
    given: GivenRowIDs,
    rowIDs: @escaping (Table) throws -> Int64
  ) {
    self.store = store
    self.policy = policy
    self.places = places
    self.given = given
    self.rowIDs = rowIDs
  }

  /// Encodes an object and what it links.
  func add(_ object: Object) throws {
    try schedule(object)
    try encodeScheduled()
  }

  /// Encodes what has to come after every other object.
  func finish() throws {
    for reference in references { try encode(reference) }
    references = []
  }

  /// The key of a linked object, which is written as well where it is new or changed.
  func reference(to object: ObjectBase) throws -> [UInt8] {
    let binding = try store.binding(of: Swift.type(of: object))
    try checkType(of: binding)
    try checkOrigin(of: object)
    let isStored = object._context?.store.map { $0.storeID == store.storeID } ?? false
    if !isStored || object.hasAssignedProperties(binding.descriptor) { try schedule(object) }
    try giveRowID(to: object, binding)
    return try binding.key(of: object)
  }

  /// Appends the record of an embedded object.
  func appendEmbedded(_ object: EmbeddedObject, to writer: inout ValueWriter) throws {
    let id = ObjectIdentifier(object)
    let others = [object._owner, object._formerOwner].compactMap { $0 }.filter { $0 !== owner }
    guard scheduled.insert(id).inserted, !others.contains(where: { $0.holds(object) }) else {
      throw FiefError(
        .embeddedObjectHasOwner,
        "An embedded object is in two places; each owner needs one of its own.",
        store: store.name,
        type: Swift.type(of: object).className()
      )
    }
    let binding = try store.binding(of: Swift.type(of: object))
    try checkType(of: binding)
    guard depth < Self.deepestEmbedding else {
      throw FiefError(
        .invalidValue,
        "Embedded objects are inside of each other too deeply.",
        store: store.name,
        type: owner.map { Swift.type(of: $0).className() },
        property: property?.name,
        details: ["the limit: \(Self.deepestEmbedding)"]
      )
    }
    if object._owner == nil { object._owner = owner }
    let outer = owner
    owner = object
    depth += 1
    defer {
      owner = outer
      depth -= 1
    }
    try binding.encode(object, isEmbedded: true, into: &writer)
    objects.append(object)
    embedded.insert(id)
  }

  /// How many embedded objects may be inside of each other. Encoding and checking them recurses, and has
  /// to fit the smallest stack of a thread.
  static let deepestEmbedding = 128

  private var embedded: Set<ObjectIdentifier> = []
  private var last: ObjectBinding?
  /// The object that is being encoded.
  private var owner: ObjectBase?
  /// The property of it that is being encoded.
  var property: PropertyDescriptor?
  /// How many embedded objects are being encoded, each inside of the one before.
  private var depth = 0

  /// An object of a subclass is a `Target` to the compiler, but lives in another table: its key would lead
  /// to another object, or to none.
  private func checkType(of binding: ObjectBinding) throws {
    guard let property, let target = property.type.target, target != binding.table.name else { return }
    throw FiefError(
      .invalidValue,
      "The property cannot hold objects of a subclass.",
      store: store.name,
      type: owner.map { Swift.type(of: $0).className() },
      property: property.name,
      details: ["the property's type: \(target)", "the object's: \(binding.table.name)"]
    )
  }

  private func schedule(_ object: ObjectBase) throws {
    guard scheduled.insert(ObjectIdentifier(object)).inserted else { return }
    try checkOrigin(of: object)
    if object._isReference { references.append(object) } else { objects.append(object) }
  }

  private func encodeScheduled() throws {
    while next < objects.count {
      let object = objects[next]
      next += 1
      if embedded.contains(ObjectIdentifier(object)) { continue }
      try encode(object)
    }
  }

  /// The binding of a class; most objects of a save are of the class of the one before.
  private func binding(of object: ObjectBase) throws -> ObjectBinding {
    if let last, last.descriptor.type == Swift.type(of: object) { return last }
    let binding = try store.binding(of: Swift.type(of: object))
    last = binding
    return binding
  }

  private func encode(_ object: ObjectBase) throws {
    let binding = try binding(of: object)
    guard binding.table.records != nil else {
      throw FiefError(
        .invalidValue,
        "An embedded object is saved with its owner, not by itself.",
        store: store.name,
        type: binding.table.name
      )
    }
    let hadRowID = object._rowID != 0
    try giveRowID(to: object, binding)
    let key = try binding.key(of: object)
    owner = object
    do {
      var writer = ValueWriter(graph: self, taking: &changes.bytes)
      defer { changes.bytes = writer.bytes }
      let keyStart = writer.bytes.count
      writer.bytes.append(contentsOf: key)
      let recordStart = writer.bytes.count
      try binding.encode(object, into: &writer)
      changes.operations.append(
        PreparedChanges.Operation(
          kind: kind(for: object, binding, hadRowID: hadRowID),
          table: binding.table,
          key: keyStart..<recordStart,
          record: recordStart..<writer.bytes.count
        )
      )
      if let places { changes.paths.append(places.paths[ObjectIdentifier(object)] ?? .root) }
    } catch {
      let path = places?.paths[ObjectIdentifier(object)]
      throw FiefError.described(error, store: store.name, type: binding.table.name, key: key, path: path)
    }
  }

  private func kind(for object: ObjectBase, _ binding: ObjectBinding, hadRowID: Bool) -> PreparedChanges.Kind
  {
    // An object without a primary key that has a row id already is written back under it.
    if binding.primaryKey.isEmpty, hadRowID, policy == .error { return .put }
    if object._isReference { return .ensure }
    switch policy {
    case .error: return .insert
    case .all: return .put
    case .modified:
      let assigned = binding.encodeSteps.filter {
        object.isAssigned(binding.descriptor.properties[$0.property])
      }
      return .patch(assigned.map(\.place.columnID))
    }
  }

  private func giveRowID(to object: ObjectBase, _ binding: ObjectBinding) throws {
    guard binding.primaryKey.isEmpty, object._rowID == 0 else { return }
    object._rowID = try rowIDs(binding.table)
    given.add(object)
  }

  private func checkOrigin(of object: ObjectBase) throws {
    guard let origin = object._context?.store, origin.storeID != store.storeID else { return }
    throw FiefError(
      .foreignObject,
      "The object was read from another store; save a detached copy of it.",
      store: store.name,
      type: Swift.type(of: object).className(),
      details: ["read from: \(origin.name)"]
    )
  }

  private var assigned: [AssignedProperties] = []

  /// Before the bytes leave: what is assigned from here on, while the save waits, is not part of it.
  func markAsSaving() {
    assigned = objects.map { object in
      let descriptor = (try? binding(of: object).descriptor) ?? object.descriptor
      let assigned = AssignedProperties(of: object, descriptor)
      object.clearAssigned(descriptor)
      return assigned
    }
  }

  /// Nothing was written: what was assigned still is to be saved.
  func markAsNotSaved() {
    for (object, assigned) in zip(objects, assigned) { assigned.mark(object) }
  }

  /// After the commit: the objects are the store's.
  func markAsSaved() {
    let context = store.newestContext
    for object in objects { object._context = context }
  }
}
