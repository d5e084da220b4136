/// Links in parts to objects that the transaction has deleted.
///
/// The store has no way from an object back to the parts that link it. The links stay in the records of the parts, and lead to nothing:
/// so does what was read of them in this write.
extension WriteTransaction {
  /// Takes links to deleted objects, which still have their keys, out of the parts whose links were read or written.
  func dropPartLinks(to deleted: [(table: Table, key: [UInt8])]) {
    if linkingParts.isEmpty || deleted.isEmpty { return }
    var keys: [String: Set<[UInt8]>] = [:]
    for (table, key) in deleted { keys[table.name, default: []].insert(key) }
    for (type, keys) in keys { dropPartLinks(to: type, keys) }
  }

  /// - Parameter keys: the keys of the objects; nil for all of the type.
  func dropPartLinks(to type: String, _ keys: Set<[UInt8]>?) {
    for part in linkingParts.values {
      for property in part.descriptor.properties
      where property.type.kind == .link && property.type.target == type && !part.isDeferred(property)
        && !part.isAssigned(property)
      {
        drop(property, of: part, keys)
      }
    }
  }

  private func drop(_ property: PropertyDescriptor, of part: ObjectBase, _ keys: Set<[UInt8]>?) {
    func isDropped(_ object: ObjectBase) -> Bool {
      guard let keys else { return true }
      guard let key = try? store.binding(of: Swift.type(of: object)).key(of: object) else { return false }
      return keys.contains(key)
    }
    switch part.withFields({ property.field.value($0 + property.offset) }) {
    case let object as ObjectBase:
      if isDropped(object) { part.dropLink(property) { keys?.contains($0) ?? true } }
    case let collection as any LinkCollection:
      guard let keys else { return collection.dropElements(key: nil, isDropped) }
      for key in keys { collection.dropElements(key: key, isDropped) }
    default: break
    }
  }
}
