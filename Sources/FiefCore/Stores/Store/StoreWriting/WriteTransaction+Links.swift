/// Links of live objects to objects that the transaction has deleted.
///
/// The instances of collections stay the same, so a collection that the caller holds still changes its owner.
extension WriteTransaction {
  /// Removes links from the live objects that had them: links that the store has cleared, and links that now
  /// lead to a deleted object.
  func drop(_ links: [RecordWriter.Link]) throws {
    var start = 0
    while start < links.count {
      // The links of one object and column are adjacent.
      let link = links[start]
      var targets: Set<[UInt8]> = []
      while start < links.count, links[start].table === link.table, links[start].key == link.key,
        links[start].column.id == link.column.id
      {
        targets.insert(links[start].target)
        start += 1
      }
      let key = IdentityMap.Key(table: link.table.entry.id, key: link.key)
      guard let object = live[key] else { continue }
      let binding = try store.binding(of: Swift.type(of: object))
      let type = link.column.type.target
      let isDropped = isTarget(ofType: type, keys: targets)
      let properties = binding.descriptor.properties.filter { $0.column == link.column.name }
      try drop(properties, of: object, binding, link.key, targets, isDropped)
    }
  }

  /// Removes the links to every object of a type from the live objects.
  func dropLinks(to type: String) throws {
    for (_, object) in live.all {
      guard let binding = try? store.binding(of: Swift.type(of: object)) else { continue }
      let links = binding.descriptor.properties.filter { $0.type.kind == .link && $0.type.target == type }
      if links.isEmpty { continue }
      try drop(
        links,
        of: object,
        binding,
        try binding.key(of: object),
        nil,
        isTarget(ofType: type, keys: nil)
      )
    }
  }

  /// Returns a test for objects of a type with one of some keys; if the keys are nil, every object passes.
  private func isTarget(ofType type: String?, keys: Set<[UInt8]>?) -> (ObjectBase) -> Bool {
    guard let keys else { return { _ in true } }
    return { object in
      guard Swift.type(of: object).className() == type,
        let key = try? self.store.binding(of: Swift.type(of: object)).key(of: object)
      else { return false }
      return keys.contains(key)
    }
  }

  private func drop(
    _ properties: [PropertyDescriptor],
    of object: ObjectBase,
    _ binding: ObjectBinding,
    _ key: [UInt8],
    _ targets: Set<[UInt8]>?,
    _ isDeleted: (ObjectBase) -> Bool
  ) throws {
    var dangling: [PropertyDescriptor] = []
    for property in properties where !object.isDeferred(property) {
      let value = object.value(of: property)
      if let collection = value as? any LinkCollection {
        collection.dropElements(keys: targets, isDeleted)
      } else if let target = value as? ObjectBase, isDeleted(target) {
        if binding.table.mayDangle(property.column) {
          dangling.append(property)
        } else {
          object.withFields { _ = property.field.setNil($0 + property.offset) }
        }
      }
    }
    guard object._record != nil || !dangling.isEmpty else { return }
    // Properties that the object has not read yet are read from the current record.
    let fresh = try key.withUnsafeBytes {
      try store.load(binding, key: $0, from: liveTransaction(), context: context)
    }
    guard let fresh else { return }
    if let record = fresh._record { give(record, to: object) }
    // The link still exists, and is written unchanged with the rest of the object.
    for property in dangling { object.resetDeferred(property, like: fresh) }
  }
}

extension Table {
  /// Whether a link may lead to a deleted object.
  fileprivate func mayDangle(_ column: String) -> Bool {
    links.contains { $0.mayDangle && $0.column.name == column }
  }
}

extension WriteTransaction: LinkableObjects {
  func linked<Element: ObjectBase>(_ object: Element) -> Element? {
    guard let origin = object._context?.store, origin.isSame(as: store) else { return nil }
    return liveInstance(of: object) as? Element ?? object
  }

  func refusal(of object: ObjectBase) -> FiefError? {
    guard object._context !== context, !(object is EmbeddedObject),
      let binding = try? store.binding(of: Swift.type(of: object))
    else { return nil }
    let isStored = object._context?.store.map { $0.isSame(as: store) } ?? false
    let isDeleted =
      isStored
      ? (try? store.hasDeleted(object, binding)) == true
      : object._wasDeleted && !store.reinsertsDeletedObjects
    return isDeleted ? .linkToDeleted(object, binding, from: nil, property: nil, in: store) : nil
  }

  func refusalOfCopy(of object: ObjectBase) -> FiefError? {
    // A frozen object is a copy of an earlier state, whatever has happened to the object since.
    if object._context?.isFrozen == true || refusal(of: object) == nil { return nil }
    return (try? store.binding(of: Swift.type(of: object))).map { .copyOfDeleted(object, $0, in: store) }
  }
}
