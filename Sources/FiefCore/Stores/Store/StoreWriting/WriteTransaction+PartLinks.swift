/// Links in embedded objects to objects that the transaction has deleted.
///
/// The records of the embedded objects keep the keys, which lead to no object, or to a new object with the
/// same key. Links that were read in this write are made unread again, so that they lead to the same objects
/// as the keys.
extension WriteTransaction {
  /// Records the links of an embedded object that is read or was written. It may have links to objects that
  /// were deleted before.
  func noteLinks(of part: ObjectBase, _ descriptor: ObjectDescriptor) {
    for (type, links) in descriptor.partLinks {
      if hasDeleted { drop(links, of: part) { $0._wasDeleted } }
      var others = false
      for link in links {
        if link.access == .collection {
          // The elements that are read from the collection are not recorded one by one.
          others = true
        } else if !part.isDeferred(link),
          let object = part.withFields({ link.field.value($0 + link.offset) }) as? ObjectBase
        {
          if object._context === context {
            linkingParts.note(part, link, to: object)
          } else {
            others = true
          }
        }
      }
      if others { linkingParts.note(part, links, to: type) }
    }
  }

  /// Records an embedded object of which a link was read.
  func noteLinks(of part: ObjectBase, _ descriptor: ObjectDescriptor, at offset: Int, to object: ObjectBase) {
    noteLinks(of: part, descriptor)
    if object._context === context, let link = descriptor.property(at: offset) {
      linkingParts.note(part, link, to: object)
    }
  }

  /// Drops the links to objects that a deletion has deleted. Called before the deleted objects lose their
  /// context, by which they are recognized.
  func dropPartLinks(_ trace: DeletionTrace) {
    if linkingParts.types.isEmpty { return }
    var deleted: [String: Set<ObjectIdentifier>] = [:]
    for (table, key) in trace.deleted where linkingParts.types.contains(table.name) {
      if let object = live[IdentityMap.Key(table: table.entry.id, key: key)] {
        deleted[table.name, default: []].insert(ObjectIdentifier(object))
      }
    }
    for alias in aliases.all where !deleted.isEmpty {
      let type = Swift.type(of: alias.object).className()
      if deleted[type]?.contains(ObjectIdentifier(alias.live)) == true {
        deleted[type]?.insert(ObjectIdentifier(alias.object))
      }
    }
    for (type, keys) in trace.keysLinkedByParts {
      let objects = deleted[type] ?? []
      dropPartLinks(to: objects, of: type) { [self] object in
        if object._context === context { return objects.contains(ObjectIdentifier(object)) }
        return object._wasDeleted || wasDeleted(object, keys)
      }
    }
  }

  /// Whether an object of this store that is not live in the write was deleted.
  private func wasDeleted(_ object: ObjectBase, _ keys: DeletionTrace.Keys) -> Bool {
    guard let origin = object._context?.store, origin.isSame(as: store),
      let binding = try? store.binding(of: Swift.type(of: object)), let key = try? binding.key(of: object)
    else { return false }
    return keys.areAll ? keys.all.contains(key) : (try? store.has(key, binding)) == false
  }

  /// Drops the links to every object of a type, all of which are deleted.
  func dropPartLinks(toAllOf table: Table) {
    if linkingParts.types.contains(table.name) { dropPartLinks(to: nil, of: table.name) { _ in true } }
  }

  private func dropPartLinks(
    to objects: Set<ObjectIdentifier>?,
    of type: String,
    where isDeleted: (ObjectBase) -> Bool
  ) {
    linkingParts.forEach(linking: objects, of: type) { part, links in
      drop(links, of: part) { Swift.type(of: $0).className() == type && isDeleted($0) }
    }
  }

  private func drop(
    _ links: [PropertyDescriptor],
    of part: ObjectBase,
    where isDeleted: (ObjectBase) -> Bool
  ) {
    // Assigned links are not written yet; they are written with the embedded object.
    for property in links where !part.isDeferred(property) && !part.isAssigned(property) {
      let value = part.withFields { property.field.value($0 + property.offset) }
      if let object = value as? ObjectBase {
        guard isDeleted(object) else { continue }
        let former = FieldValue(value, of: property, in: part)
        let binding = try? store.binding(of: Swift.type(of: object))
        deletions += 1
        let isUnread = part.dropLink(property, to: try? binding?.key(of: object))
        undo.noteLink(former, of: part, isUnread: isUnread)
      } else if let collection = value as? any OwnedCollection & LinkCollection {
        let count = collection.count
        var saved: OwnedCollection?
        var isDropped = false
        collection.dropObjects(where: isDeleted) {
          isDropped = true
          // Contents that are held elsewhere are copied before they change.
          if !undo.hasContents(of: collection, count: count) { saved = collection.saved() }
        }
        if isDropped {
          deletions += 1
          undo.noteContents(of: collection, saved)
        }
      }
    }
  }
}
