/// Links in embedded objects to objects that the transaction has deleted.
///
/// The records of the embedded objects keep the keys, which lead to nothing, or to new objects that get them. So does what was read of these
/// links in this write.
extension WriteTransaction {
  /// Notes an embedded object whose links are read.
  func noteLinks(of part: ObjectBase) {
    let links = part.descriptor.partLinks
    if !links.isEmpty, linkingParts.note(part, links) { dropDeletedLinks(links, of: part) }
  }

  /// Notes an embedded object that was written, perhaps with links to what was deleted before it was given.
  func noteWrittenLinks(of part: ObjectBase, _ descriptor: ObjectDescriptor) {
    if descriptor.partLinks.isEmpty { return }
    linkingParts.note(part, descriptor.partLinks)
    dropDeletedLinks(descriptor.partLinks, of: part)
  }

  private func dropDeletedLinks(_ links: [String: [PropertyDescriptor]], of part: ObjectBase) {
    if !hasDeleted { return }
    for (_, links) in links { drop(links, of: part) { $0._wasDeleted } }
  }

  /// Drops the links to what a deletion has deleted, while the live objects still have their context.
  func dropPartLinks(_ trace: DeletionTrace) {
    if linkingParts.types.isEmpty { return }
    var types = trace.typesDeletedElsewhere
    var deleted: Set<ObjectIdentifier> = []
    for (table, key) in trace.deleted where linkingParts.types.contains(table.name) {
      types.insert(table.name)
      if let object = live[IdentityMap.Key(table: table.entry.id, key: key)] {
        deleted.insert(ObjectIdentifier(object))
      }
    }
    for alias in aliases.values where deleted.contains(ObjectIdentifier(alias.live)) {
      deleted.insert(ObjectIdentifier(alias.object))
    }
    for type in types {
      dropPartLinks(to: type) { [self] object in
        if object._context === context { return deleted.contains(ObjectIdentifier(object)) }
        // An instance that was read elsewhere.
        return object._wasDeleted || isGone(object)
      }
    }
  }

  /// Drops the links to every object of a type, all of which are deleted.
  func dropPartLinks(to type: String) { dropPartLinks(to: type) { _ in true } }

  private func dropPartLinks(to type: String, where isDeleted: (ObjectBase) -> Bool) {
    linkingParts.forEach(linking: type) { part, links in drop(links, of: part, where: isDeleted) }
  }

  /// Whether an object of this store is not stored any more.
  private func isGone(_ object: ObjectBase) -> Bool {
    guard let origin = object._context?.store, origin.isSame(as: store),
      let binding = try? store.binding(of: Swift.type(of: object)), let key = try? binding.key(of: object)
    else { return false }
    return (try? store.has(key, binding)) == false
  }

  private func drop(
    _ links: [PropertyDescriptor],
    of part: ObjectBase,
    where isDeleted: (ObjectBase) -> Bool
  ) {
    // What was assigned is not written yet, and follows with the part.
    for property in links where !part.isDeferred(property) && !part.isAssigned(property) {
      let value = part.withFields { property.field.value($0 + property.offset) }
      if let object = value as? ObjectBase {
        guard isDeleted(object) else { continue }
        droppedPartLinks.note(property, of: part, value)
        let binding = try? store.binding(of: Swift.type(of: object))
        part.dropLink(property, to: try? binding?.key(of: object))
      } else if let collection = value as? any OwnedCollection & LinkCollection {
        var before: (saved: OwnedCollection, count: Int)?
        collection.dropObjects(where: isDeleted) { before = (collection.saved(), collection.count) }
        if let before { droppedPartLinks.note(collection, before.saved, count: before.count) }
      }
    }
  }
}
