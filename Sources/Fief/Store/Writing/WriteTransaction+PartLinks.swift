/// Links in parts to objects that the transaction has deleted.
///
/// They stay in the records of the parts, and lead to nothing: so does what was read of them in this write.
extension WriteTransaction {
  /// Takes links to deleted objects, which still have their keys, out of the parts whose links were read or written.
  func dropPartLinks(to deleted: [(table: Table, key: [UInt8])]) {
    let types = linkingParts.types
    if types.isEmpty { return }
    var keys: [String: Set<[UInt8]>] = [:]
    for (table, key) in deleted where types.contains(table.name) {
      keys[table.name, default: []].insert(key)
    }
    for (type, keys) in keys { dropPartLinks(to: type, keys) }
  }

  /// - Parameter keys: the keys of the objects; nil for all of the type.
  func dropPartLinks(to type: String, _ keys: Set<[UInt8]>?) {
    let entries = linkingParts[type]
    if entries.isEmpty { return }
    let isDropped = isOne(of: keys, type)
    for entry in entries {
      guard let part = entry.part else { continue }
      for property in entry.properties where !part.isDeferred(property) && !part.isAssigned(property) {
        drop(property, of: part, keys, isDropped)
      }
    }
  }

  private func drop(
    _ property: PropertyDescriptor,
    of part: ObjectBase,
    _ keys: Set<[UInt8]>?,
    _ isDropped: (ObjectBase) -> Bool
  ) {
    let value = part.withFields { property.field.value($0 + property.offset) }
    if let object = value as? ObjectBase, isDropped(object) {
      let flags = part.flags(of: property)
      droppedPartLinks.append {
        part.withFields { base in
          property.field.restore(value, base + property.offset)
          base.storeBytes(of: flags, toByteOffset: property.flagsOffset, as: UInt8.self)
        }
      }
      let binding = try? store.binding(of: Swift.type(of: object))
      part.dropLink(property, to: try? binding?.key(of: object))
    } else if let collection = value as? any LinkCollection, let owned = value as? OwnedCollection {
      collection.dropElements(keys: keys, isDropped) {
        let saved = owned.saved()
        droppedPartLinks.append { owned.restore(saved) }
      }
    }
  }
}
