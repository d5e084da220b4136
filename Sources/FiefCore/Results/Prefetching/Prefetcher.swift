import LMDB

/// Looks up the targets of relationships of many objects, level by level, with all keys of a property at
/// once.
struct Prefetcher {
  /// The number of objects that are created before their targets are looked up.
  static let batchSize = 256

  let nodes: [PrefetchNode]
  private let store: StoreCore
  private let transaction: LMDB.Transaction
  private let scope: AccessScope?
  private let context: ObjectContext

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`, before anything is read.
  init(_ nodes: [PrefetchNode], _ store: StoreCore, _ transaction: LMDB.Transaction, _ context: ObjectContext)
  {
    self.nodes = nodes
    self.store = store
    self.transaction = transaction
    self.context = context.lasting
    scope = context.readingScope
  }

  func prefetch(_ objects: [ObjectBase]) throws { try prefetch(nodes, of: objects) }

  private func prefetch(_ nodes: [PrefetchNode], of objects: [ObjectBase]) throws {
    if objects.isEmpty { return }
    for node in nodes {
      let targets =
        switch node.type.kind {
        case .embedded: embedded(node, of: objects)
        case .linkingObjects: try linking(node, to: objects)
        default: try linked(node, from: objects)
        }
      try prefetch(node.children, of: targets)
    }
  }

  /// Returns the embedded objects of a property. They are in the records of their owners.
  private func embedded(_ node: PrefetchNode, of objects: [ObjectBase]) -> [ObjectBase] {
    var parts: [ObjectBase] = []
    for object in objects {
      guard let property = node.property(of: object) else { continue }
      Self.append(object.value(of: property), to: &parts)
    }
    return parts
  }

  private static func append(_ value: Any, to objects: inout [ObjectBase]) {
    if let collection = value as? any PrefetchableCollection {
      collection.appendObjects(to: &objects)
    } else if let object = value as? ObjectBase {
      objects.append(object)
    }
  }

  private func linked(_ node: PrefetchNode, from objects: [ObjectBase]) throws -> [ObjectBase] {
    let keys = KeyList()
    for object in objects {
      guard let property = node.property(of: object), object.isDeferred(property),
        try !object.hasLargeCollection(property)
      else { continue }
      guard try object.appendLinkKeys(of: property, to: keys) else { break }
    }
    let found = try lookUp(keys, of: node.target)
    defer { found.known.removeAll() }
    let resolving = ObjectContext(resolving: context, with: found.known)
    var targets = node.children.isEmpty ? [] : found.objects
    var seen: Set<ObjectIdentifier> = []
    for object in objects {
      guard let property = node.property(of: object) else { continue }
      let wasDeferred = object.isDeferred(property)
      if !wasDeferred, node.children.isEmpty { continue }
      if try wasDeferred && object.hasLargeCollection(property) { continue }
      let own = object._context
      if wasDeferred { object._context = resolving }
      var values: [ObjectBase] = []
      Self.append(object.value(of: property), to: &values)
      object._context = own
      // Targets that were resolved before may also have relationships to prefetch.
      if !wasDeferred {
        for value in values where seen.insert(ObjectIdentifier(value)).inserted { targets.append(value) }
      }
    }
    return targets
  }

  /// Creates the objects of some keys, with one lookup in the order of the keys.
  private func lookUp(_ keys: KeyList, of type: ObjectBase.Type) throws -> (
    known: PrefetchedObjects, objects: [ObjectBase]
  ) {
    let known = PrefetchedObjects()
    var objects: [ObjectBase] = []
    guard keys.count > 0 else { return (known, objects) }
    keys.sort()
    let binding = try store.binding(of: type)
    guard let records = binding.table.records else { return (known, objects) }
    let table = binding.table.entry.id
    objects.reserveCapacity(keys.count)
    var batch = LookUpBatch(in: transaction)
    var costs = ReadCosts()
    try keys.withKeys { key in
      var next = 0
      while next < keys.count {
        batch.removeAll()
        while next < keys.count, !batch.isFull {
          batch.append(key(next), at: next)
          next += 1
        }
        if batch.count > 1 { try batch.prepare(records) }
        for index in 0..<batch.count {
          let key = batch.key(index)
          let record = try batch.value(index, in: records)
          let object = try record.map { try instance(of: binding, key, $0) } ?? nil
          known.set(object, table, key)
          guard let object else { continue }
          objects.append(object)
          if scope == nil, let record { costs.add(binding.table, bytes: key.count + record.count) }
        }
      }
    }
    note(ReadTally(objects: scope == nil ? objects.count : 0, links: keys.count, lookups: 1), costs)
    return (known, objects)
  }

  /// Creates the object of a record, or returns `nil` if the record is damaged. As when a link is followed, a
  /// damaged record is reported to the event handler.
  private func instance(
    of binding: ObjectBinding,
    _ key: UnsafeRawBufferPointer,
    _ record: UnsafeRawBufferPointer
  ) throws -> ObjectBase? {
    do {
      if let scope { return try scope.instance(of: binding, key: key, record: record) }
      do { return try binding.decode(key: key, record: record, context: context) } catch {
        return try store.loadAgain(binding, key: key, from: transaction, context: context, after: error)
      }
    } catch let error as FiefError where error.code == .damagedRecord {
      store.report(error, type: binding.table.name, property: nil)
      return nil
    }
  }

  private func note(_ tally: ReadTally, _ costs: ReadCosts = ReadCosts()) {
    guard let scope else { return store.counters.add(tally, costs) }
    scope.tally.objects &+= tally.objects
    scope.tally.links &+= tally.links
    scope.tally.lookups &+= tally.lookups
  }

  /// Prefetches the sources of inverses, with one lookup in the tree of backlinks and one lookup of the
  /// sources.
  private func linking(_ node: PrefetchNode, to objects: [ObjectBase]) throws -> [ObjectBase] {
    guard let inverse = node.inverse, let first = objects.first else { return [] }
    let binding = try store.binding(of: Swift.type(of: first))
    var ends: [(key: [UInt8], object: ObjectBase)] = []
    for object in objects where binding.isOfClass(object) {
      ends.append((try binding.key(of: object), object))
    }
    ends.sort { $0.key.lexicographicallyPrecedes($1.key) }
    let keys = KeyList()
    var sources: [[ObjectKey]] = []
    for end in ends {
      let found = try Backlinks.sources(of: inverse, to: end.key, in: transaction)
      guard found.allSatisfy({ $0.bytes.withUnsafeBytes(keys.append) }) else { break }
      sources.append(found)
    }
    note(ReadTally(lookups: 1))
    let found = try lookUp(keys, of: node.target)
    // In a write, inverses are not cached because the next assignment may change them.
    if scope is WriteTransaction { return found.objects }
    let table = try store.binding(of: node.target).table.entry.id
    for (end, keys) in zip(ends, sources) {
      guard let property = node.property(of: end.object) else { continue }
      let linking = keys.compactMap { key in
        key.bytes.withUnsafeBytes { found.known[table, $0] ?? nil }
      }
      end.object.withFields { property.field.setPrefetched($0 + property.offset, linking) }
    }
    return found.objects
  }
}

extension ObjectBase {
  /// Whether the elements of an unread property are in a separate tree. Such collections are read in parts
  /// when they are used, because their elements for a whole batch of owners would be too much to prefetch.
  fileprivate func hasLargeCollection(_ property: PropertyDescriptor) throws -> Bool {
    guard property.type.container != .none, let record = _record,
      let id = record.binding.columnID(ofPropertyAt: property.offset)
    else { return false }
    return try record.withPayload(ofColumn: id) { CollectionMarker.isMarker($0) } ?? false
  }

  /// Adds the keys to which an unread property links. Returns false if they do not fit.
  fileprivate func appendLinkKeys(of property: PropertyDescriptor, to keys: KeyList) throws -> Bool {
    guard let record = _record, let id = record.binding.columnID(ofPropertyAt: property.offset) else {
      return true
    }
    let hasRoom = try record.withPayload(ofColumn: id) { payload in
      if property.type.container == .none { return keys.append(payload) }
      var hasRoom = true
      try CollectionPayload.forEach(payload, type: property.type) { _, element in
        if hasRoom, let element { hasRoom = keys.append(element) }
      }
      return hasRoom
    }
    return hasRoom ?? true
  }
}
