import LMDB
import Synchronization

/// The objects that can be reached from the objects of one save. They are encoded in the caller's isolation.
///
/// New and changed objects are saved too. Linked objects that were read from the store and not changed are
/// only linked.
package final class ObjectGraph: EncodedGraph, LinkEncoder {
  private static let marks = Atomic<UInt64>(0)

  let store: StoreCore
  private let policy: UpdatePolicy
  private let places: ObjectPlaces?
  /// The objects that were created from values. If such an object is already stored, only the given values
  /// are written.
  private let made: ObjectPlaces?
  private let rowIDs: (Table) throws -> Int64
  private let given: ProvisionalRowIDs
  // A graph is used by one call at a time. Code that it calls while it encodes an object uses the graph only
  // through its methods, after each access has ended. The dynamic exclusivity check would cost as much as a
  // field.
  @exclusivity(unchecked) package var changes = PreparedChanges()
  /// Every object that the save writes as a separate record.
  // SAFETY: `held` contains the objects that were found through links. The caller's array contains the roots
  // while the caller waits; a caller that does not wait calls ``holdObjects()``.
  @exclusivity(unchecked) var objects: ContiguousArray<Unmanaged<ObjectBase>> = []
  /// The embedded objects inside the objects in ``objects``.
  @exclusivity(unchecked) var parts: [EmbeddedObject] = []
  @exclusivity(unchecked) var held: [ObjectBase] = []
  /// Objects that a write has deleted, and that are stored again.
  @exclusivity(unchecked) var revived: [ObjectIdentifier: ObjectBase] = [:]
  /// The value of ``ObjectBase/_mark`` for objects of this graph.
  private let mark = ObjectGraph.marks.wrappingAdd(1, ordering: .relaxed).newValue
  /// The index of the next object to encode.
  @exclusivity(unchecked) private var next = 0
  /// Objects whose keys alone are known. They are encoded last, when the objects of the save exist.
  @exclusivity(unchecked) private var references: [ObjectBase] = []
  /// The classes that the graph has encountered.
  @exclusivity(unchecked) private var classes: [ClassEntry] = []
  /// The object that is being encoded, if it has embedded objects or links.
  @exclusivity(unchecked) var owner: ObjectBase?
  /// The nesting depth of the embedded object that is being encoded.
  @exclusivity(unchecked) var depth = 0
  /// Whether a link of an operand may lead to a deleted object, because the operand is only compared, like
  /// the elements that a field operation removes.
  package var comparesOnly = false
  /// The type and the key of the object that a field operation changes, for errors. The key is nil if the
  /// operation changes many objects.
  package var operandTable: Table?
  package var operandKey: [UInt8]?
  /// Whether the writer refuses links to deleted objects before its first change, and not the encoding. An
  /// update of results without objects then does not fail.
  package var checksLinksLater = false
  /// Whether the value that is being encoded belongs to no operation of the changes, such as an operand.
  @exclusivity(unchecked) var isOperand = false
  /// The objects that were passed to ``encode(_:)``. The save writes them whether or not the store contains
  /// them.
  @exclusivity(unchecked) var roots: [ObjectBase] = []
  @exclusivity(unchecked) var assigned: [AssignedProperties] = []
  /// The former states of the first objects in `objects`, from before they were marked.
  @exclusivity(unchecked) var marked: ContiguousArray<Marked> = []
  /// The former states of the parts, from before they were marked with the objects.
  var markedParts: [(context: ObjectContext?, assigned: AssignedProperties)] = []
  /// The context that objects get when they are encoded; nil if they are marked later.
  let context: ObjectContext?
  /// The types that the repository of the save declares; nil if it declares all types of the store.
  let visible: VisibleTypes?
  /// The context of the write to which the graph belongs, which assigns the ids of its objects; nil outside
  /// writes.
  let ownContext: ObjectContext?
  /// The changes that the graph makes to objects while it encodes them: the log of the write that the graph
  /// belongs to. Other graphs make a log with the first change.
  var undo: UndoLog?
  /// The former contexts of objects from other scopes, by their index in `marked`.
  var formerContexts: [Int: ObjectContext] = [:]

  /// The stamps of the objects after the save, in the order of `objects`; 0 if the stored bytes are unknown.
  @exclusivity(unchecked) var stamps: ContiguousArray<UInt> = []
  /// Whether the objects are saved only if they are unchanged.
  let isConditional: Bool
  /// The outcome of the save, once a collection needs it.
  @exclusivity(unchecked) private(set) var outcome: SaveOutcome?
  /// The notes shared by all encoded collections without notes.
  private(set) lazy var noteOfSave = NotedObjects(save: makeOutcome())
  /// The large collections that a flush writes; nil for all other saves.
  @exclusivity(unchecked) var flushed: FlushedCollections?

  struct Marked {
    let assigned: AssignedProperties
    let wasNew: Bool
    let stamp: UInt
  }

  final class ClassEntry {
    let type: ObjectBase.Type
    let binding: ObjectBinding
    let table: UInt16

    init(_ type: ObjectBase.Type, _ binding: ObjectBinding, table: UInt16) {
      self.type = type
      self.binding = binding
      self.table = table
    }
  }

  /// - Parameters:
  ///   - made: the objects that were created from values; by default the objects of the document.
  ///   - write: the write that the graph belongs to.
  ///   - given: records the objects to which row ids are assigned.
  ///   - marksAtOnce: whether the objects belong to the store as soon as they are encoded, instead of later
  ///     in a separate loop. For a caller that waits for the outcome, and calls ``unmark()`` after a failure.
  ///   - rowIDs: returns the next row id of a type.
  init(
    store: StoreCore,
    _ options: SaveOptions,
    made: ObjectPlaces? = nil,
    in write: WriteTransaction? = nil,
    given: ProvisionalRowIDs,
    marksAtOnce: Bool = false,
    rowIDs: @escaping (Table) throws -> Int64
  ) {
    self.store = store
    isConditional = options.isConditional
    if isConditional { changes.expected = [] }
    policy = options.policy
    visible = options.visible
    context = marksAtOnce ? ObjectContext(store: store, visible: visible) : nil
    places = options.places
    self.made = made ?? places
    ownContext = write?.context
    undo = write?.undo
    self.given = given
    self.rowIDs = rowIDs
    super.init(ObjectGraph.self)
  }

  private func makeOutcome() -> SaveOutcome {
    let made = SaveOutcome()
    outcome = made
    return made
  }

  /// Encodes objects and the objects to which they link, each once.
  package func encode<Root: ObjectBase>(_ roots: [Root]) throws {
    guard let first = roots.first else { return }
    objects.reserveCapacity(roots.count)
    changes.reserve(roots.count)
    stamps.reserveCapacity(roots.count)
    if context != nil { marked.reserveCapacity(roots.count) }
    var writer = ValueWriter(graph: self, reserving: 256)
    var known = try knownClass(of: first)
    // Earlier roots may link to later roots.
    for root in roots { revive(root) }
    self.roots = roots
    try roots.withUnsafeBufferPointer { roots in
      for index in roots.indices {
        try Unmanaged<ObjectBase>.passUnretained(roots[index])._withUnsafeGuaranteedRef { try schedule($0) }
        try encodeScheduled(&known, into: &writer)
      }
    }
    try finishEncoding(into: &writer)
  }

  @inline(__always)
  private func encodeScheduled(_ known: inout ClassEntry, into writer: inout ValueWriter) throws {
    while next < objects.count {
      let object = objects[next]
      next += 1
      try object._withUnsafeGuaranteedRef { object in
        if known.type != Swift.type(of: object) { known = try knownClass(of: object) }
        try encode(object, known, into: &writer)
      }
    }
  }

  private func finishEncoding(into writer: inout ValueWriter) throws {
    for reference in references { try encode(reference, try knownClass(of: reference), into: &writer) }
    references = []
    roots = []
    owner = nil
    changes.finish(&writer)
  }

  /// Encodes the new and changed objects to which separately encoded values link.
  package func encodeLinked() throws {
    guard let first = objects.first?.takeUnretainedValue() ?? references.first else { return }
    var writer = ValueWriter(graph: self, reserving: 256)
    var known = try knownClass(of: first)
    try encodeScheduled(&known, into: &writer)
    try finishEncoding(into: &writer)
  }

  /// Returns the payload of a property's value that does not belong to an object.
  package func payload(of value: any Persistable, of property: PropertyDescriptor) throws -> [UInt8] {
    self.property = property
    isOperand = true
    defer {
      self.property = nil
      isOperand = false
    }
    var writer = ValueWriter(graph: self)
    try value._generated()._append(to: &writer)
    return writer.bytes
  }

  /// Returns the record of an object that is not saved itself, such as an object with the defaults of its
  /// class.
  package func record(of object: ObjectBase, isEmbedded: Bool) throws -> [UInt8] {
    let binding = try knownClass(of: object).binding
    owner = object
    isOperand = true
    defer {
      owner = nil
      isOperand = false
    }
    var writer = ValueWriter(graph: self, reserving: 128)
    let start = try binding.encode(object, isEmbedded: isEmbedded, into: &writer)
    return writer.withBytes { [UInt8]($0[start...]) }
  }

  /// Appends the key of a linked object. A new or changed object is also written.
  ///
  /// If the application assigned a link to a deleted object, the save fails. A link that was read with its
  /// object is appended, and the writer clears it.
  func appendReference(to object: ObjectBase, to writer: inout ValueWriter) throws {
    let known = try knownClass(of: object)
    try checkType(of: known.binding)
    try checkOrigin(of: object)
    if object._mark != mark {
      let isStored = object._context?.store.map { $0.isSame(as: store) } ?? false
      if object._wasDeleted,
        comparesOnly
          || !bringsDeletedObjects && !(depth > 0 && store.reinsertsDeletedObjects && isGiven(object))
      {
        if !comparesOnly, isGiven(object) { try refuseLink(to: object, known.binding) }
        linksStoredObjects = true
        // Without a primary key, a deleted object has lost its row id, so no object has its key.
        return try known.binding.appendKey(of: object, to: &writer)
      }
      if !isStored || object.hasAssignedProperties(known.binding.descriptor) {
        if try !isStored || writesLinked(object, known.binding) {
          held.append(object)
          try schedule(object)
        }
      } else if object._context !== ownContext, isGiven(object) {
        // A write runs before the enqueued saves. A save checks the link when its turn comes, after them.
        let isExpected = ownContext != nil && object._context?.isAwaitingSave == true
        if comparesOnly || isExpected {
        } else if store.reinsertsDeletedObjects,
          try !store.has(try known.binding.key(of: object), known.binding)
        {
          held.append(object)
          try schedule(object)
        } else {
          try noteGivenLink(to: object, known.binding)
        }
      } else {
        linksStoredObjects = true
      }
    }
    try giveRowID(to: object, known.binding)
    try known.binding.appendKey(of: object, to: &writer)
  }

  func appendObject(_ object: Object, to writer: inout ValueWriter) throws {
    if let link = object as? UndeclaredObject {
      try link.check(isOf: store)
      writer.appendInteger(NestedKind.object.rawValue)
      return link.reference.append(to: &writer)
    }
    // The deleted object does not refer back to other objects, so only values that were read before its
    // deletion still refer to it.
    if object._wasDeleted, object._mark != mark, !isGiven(object) { return }
    writer.appendInteger(NestedKind.object.rawValue)
    writer.appendInteger(try knownClass(of: object).binding.table.entry.id)
    try appendReference(to: object, to: &writer)
  }

  /// Appends the record of an embedded object.
  func appendEmbedded(_ object: EmbeddedObject, to writer: inout ValueWriter) throws {
    // Another instance of the same object, such as an instance that was added over the live one, counts as
    // the same owner.
    let others = [object._owner, object._formerOwner].compactMap { $0 }.filter { other in
      other !== owner && !(owner.map { other.hasSameKey(as: $0) } ?? false)
    }
    guard object._mark != mark, !others.contains(where: { $0.holds(object) }) else {
      throw FiefError(
        .embeddedObjectHasOwner,
        "An embedded object has two owners; each owner needs its own object.",
        store: store.name,
        type: Swift.type(of: object).className()
      )
    }
    if object._hasNotes { try ConversionErrors.check(object, store: store.name) }
    object._mark = mark
    let binding = try knownClass(of: object).binding
    try checkType(of: binding)
    guard depth < Self.deepestEmbedding else {
      throw FiefError(
        .invalidValue,
        "Embedded objects are nested too deeply.",
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
    parts.append(object)
  }

  private func schedule(_ object: ObjectBase) throws {
    guard object._mark != mark else { return }
    try checkOrigin(of: object)
    if object._hasNotes { try ConversionErrors.check(object, store: store.name) }
    object._mark = mark
    revive(object)
    if object._rowID != 0, object._rowIDUses != ProvisionalRowIDs.confirmed,
      object._context?.store == nil || (object._rowIDUses > 0 && object._context !== ownContext)
    {
      given.share(object)
    }
    if object._isReference {
      references.append(object)
    } else {
      objects.append(Unmanaged.passUnretained(object))
    }
  }

  /// Returns the class of an object. A linear search is enough, because a save contains objects of only a few
  /// classes.
  func knownClass(of object: ObjectBase) throws -> ClassEntry {
    let type = Swift.type(of: object)
    for known in classes where known.type == type { return known }
    let binding = try store.binding(of: type)
    let known = ClassEntry(type, binding, table: changes.index(of: binding.table))
    classes.append(known)
    return known
  }

  private func encode(_ object: ObjectBase, _ known: ClassEntry, into writer: inout ValueWriter) throws {
    let binding = known.binding
    guard binding.table.records != nil else {
      throw FiefError(
        .invalidValue,
        "An embedded object is saved with its owner, not by itself.",
        store: store.name,
        type: binding.table.name
      )
    }
    let hadRowID = object._rowID != 0
    if isConditional { changes.expected?.append(expected(of: object)) }
    try giveRowID(to: object, binding)
    let keyStart = writer.count
    try binding.appendKey(of: object, to: &writer)
    let keyCount = writer.count - keyStart
    if binding.hasLinksOrParts {
      owner = object
      linksStoredObjects = false
      if binding.descriptor.hasDefaultObjects, object._context?.store == nil, writesPart(of: object) {
        let key = writer.withBytes { [UInt8]($0[keyStart..<(keyStart + keyCount)]) }
        if try store.has(key, binding) { dropDefaults(of: object, binding.descriptor) }
      }
    }
    if object._record != nil, binding.primaryKey.contains(where: { object.isAssigned($0) }) {
      // The record contains the collections of the object under its former key.
      object.keepLargeCollections()
    }
    do {
      let recordStart = try binding.encode(object, into: &writer)
      let (kind, patch) = kind(for: object, binding, hadRowID: hadRowID)
      changes.append(
        PreparedChanges.Operation(
          kind: kind,
          linksStoredObjects: binding.hasLinksOrParts && linksStoredObjects,
          table: known.table,
          patch: patch,
          keyStart: keyStart,
          keyCount: keyCount,
          recordStart: recordStart,
          recordCount: writer.count - recordStart
        ),
        in: writer
      )
      let isKnown =
        kind.isWhole && !binding.table.hasDerived && flushed?.hasAdditions(to: object) != true
        && (writer.count - recordStart <= CollectionPayload.inlineLimit
          || binding.table.collectionIDs.isEmpty)
      stamps.append(isKnown ? RecordStamp.of(writer.recordHash) : 0)
      if let context, !object._isReference { mark(object, binding.descriptor, context) }
      if let places { changes.append(places.paths[ObjectIdentifier(object)] ?? .root) }
    } catch {
      let path = places?.paths[ObjectIdentifier(object)]
      let key = writer.withBytes { [UInt8]($0[keyStart..<(keyStart + keyCount)]) }
      throw FiefError.described(
        error,
        store: store.name,
        type: binding.table.name,
        key: binding.table.shown(key),
        path: path
      )
    }
  }

  private func kind(
    for object: ObjectBase,
    _ binding: ObjectBinding,
    hadRowID: Bool
  ) -> (PreparedChanges.Kind, patch: Int32) {
    // An object without a primary key that already has a row id is written under this id.
    if hadRowID, policy == .error, binding.primaryKey.isEmpty { return (.put, -1) }
    if object._isReference { return (.ensure, -1) }
    switch policy {
    case .error: return (.insert, -1)
    case .all:
      // An object that gets its row id here cannot be stored yet.
      guard writesPart(of: object), hadRowID || !binding.primaryKey.isEmpty else { return (.put, -1) }
      let columns = assignedColumns(of: object, binding)
      return columns.count == binding.encodeSteps.count ? (.put, -1) : (.patch, changes.appendPatch(columns))
    case .modified, .assigned:
      guard writesPart(of: object) else { return (.put, -1) }
      let kind: PreparedChanges.Kind = wasStored(object) ? .patchExisting : .patch
      return (kind, changes.appendPatch(assignedColumns(of: object, binding)))
    }
  }

  private func assignedColumns(of object: ObjectBase, _ binding: ObjectBinding) -> [UInt16] {
    binding.encodeSteps.lazy
      .filter { object.isAssigned(binding.descriptor.properties[Int($0.property)]) }
      .map(\.place.columnID)
  }

  /// Whether only the assigned properties of an object are written if the store contains its key.
  func writesPart(of object: ObjectBase) -> Bool {
    switch policy {
    case .error: false
    case .all: isMade(object)
    // The unassigned values of a copy were read from the store, perhaps from an older state.
    case .modified: object._context?.store != nil || isMade(object)
    case .assigned: true
    }
  }

  /// Whether the object was created from values, which may include only some of its properties.
  private func isMade(_ object: ObjectBase) -> Bool { made?.paths[ObjectIdentifier(object)] != nil }

  /// Whether the object was in the store. If it no longer is, it was deleted.
  private func wasStored(_ object: ObjectBase) -> Bool {
    guard !store.reinsertsDeletedObjects, let origin = object._context?.store else { return false }
    return origin.isSame(as: store)
  }

  /// Returns the stored state that a conditional save requires for an object.
  private func expected(of object: ObjectBase) -> ExpectedObject {
    if object._isReference { return .anything }
    let stamp = object._stamp
    if stamp != 0 { return .record(stamp: stamp, contents: object._record?.contents ?? []) }
    let isStored = object._context?.store.map { $0.isSame(as: store) } ?? false
    return isStored ? .unknown : .none
  }

  private func giveRowID(to object: ObjectBase, _ binding: ObjectBinding) throws {
    guard object._rowID == 0, binding.primaryKey.isEmpty else { return }
    given.give(try rowIDs(binding.table), to: object)
  }
}
