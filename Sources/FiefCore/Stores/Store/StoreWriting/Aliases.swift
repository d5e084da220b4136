/// Additional instances of objects in a write, besides the instance in the identity map. Assignments to an
/// alias are transferred to the instance in the map.
struct Aliases {
  struct Alias {
    let object: ObjectBase
    /// A strong reference, so that assigned values are kept as long as the alias can be changed.
    let live: ObjectBase
    let id: IdentityMap.Key
  }

  private var aliases: [ObjectIdentifier: Alias] = [:]
  private var instances: [IdentityMap.Key: [ObjectIdentifier]] = [:]

  var isEmpty: Bool { aliases.isEmpty }
  var all: [Alias] { Array(aliases.values) }

  subscript(object: ObjectBase) -> Alias? { aliases[ObjectIdentifier(object)] }

  /// Returns the aliases of an object.
  func of(_ id: IdentityMap.Key) -> [Alias] {
    instances.isEmpty ? [] : instances[id, default: []].compactMap { aliases[$0] }
  }

  mutating func insert(_ object: ObjectBase, besides live: ObjectBase, _ id: IdentityMap.Key) {
    let identifier = ObjectIdentifier(object)
    if let former = aliases.updateValue(Alias(object: object, live: live, id: id), forKey: identifier) {
      instances[former.id]?.removeAll { $0 == identifier }
    }
    instances[id, default: []].append(identifier)
  }

  /// Removes the aliases of an object and returns them.
  mutating func removeAll(of id: IdentityMap.Key) -> [Alias] {
    if instances.isEmpty { return [] }
    return (instances.removeValue(forKey: id) ?? []).compactMap { aliases.removeValue(forKey: $0) }
  }

  /// Removes the aliases of all objects of a table and returns them.
  mutating func removeAll(ofTable table: UInt32) -> [Alias] {
    instances.keys.filter { $0.belongs(to: table) }.flatMap { removeAll(of: $0) }
  }
}
