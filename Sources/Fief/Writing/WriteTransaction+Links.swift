/// Links of live objects to objects that the transaction has deleted.
///
/// The instances of collections stay the same: whoever holds one goes on changing its owner.
extension WriteTransaction {
  /// Takes the links that the store has cleared out of the live objects that had them.
  func drop(_ links: [RecordWriter.ClearedLink]) throws {
    for link in links {
      let key = IdentityMap.Key(table: link.table.entry.id, key: link.key)
      guard let object = live[key] else { continue }
      let binding = try store.binding(of: Swift.type(of: object))
      let target = link.column.type.target
      for property in binding.descriptor.properties where property.column == link.column.name {
        drop(property, of: object, key: link.target) { element in
          guard Swift.type(of: element).className() == target else { return false }
          return (try? self.store.binding(of: Swift.type(of: element)).key(of: element)) == link.target
        }
      }
      try readAgain(object, binding, link.key)
    }
  }

  /// Takes the links to every object of a type out of the live objects.
  func dropLinks(to type: String) throws {
    for (_, object) in live.all {
      guard let binding = try? store.binding(of: Swift.type(of: object)) else { continue }
      let links = binding.descriptor.properties.filter { $0.type.kind == .link && $0.type.target == type }
      if links.isEmpty { continue }
      for property in links { drop(property, of: object, key: nil) { _ in true } }
      try readAgain(object, binding, try binding.key(of: object))
    }
  }

  private func drop(
    _ property: PropertyDescriptor,
    of object: ObjectBase,
    key: [UInt8]?,
    _ isDeleted: (ObjectBase) -> Bool
  ) {
    if object.isDeferred(property) { return }
    let value = object.value(of: property)
    if let collection = value as? any LinkCollection {
      collection.dropElements(key: key, isDeleted)
    } else if let target = value as? ObjectBase, isDeleted(target) {
      object.withFields { _ = property.field.setNil($0 + property.offset) }
    }
  }

  /// What the object has not read yet, it reads from the record as it now is.
  private func readAgain(_ object: ObjectBase, _ binding: ObjectBinding, _ key: [UInt8]) throws {
    guard object._record != nil else { return }
    let fresh = try key.withUnsafeBytes {
      try store.load(binding, key: $0, from: liveTransaction(), context: context)
    }
    if let record = fresh?._record { object._record = record }
  }
}
