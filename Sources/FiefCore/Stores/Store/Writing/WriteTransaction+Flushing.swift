import LMDB

/// Writing the changes of live objects.
extension WriteTransaction {
  /// Writes the assigned values, where that is possible now.
  func flushSharing() throws -> Bool {
    if isFlushing || isDecoding { return false }
    try flush()
    return true
  }

  /// Writes the assigned values of live objects, so that reads and the commit see it.
  package func flush() throws {
    guard !changed.isEmpty else { return }
    let outer = isFlushing
    isFlushing = true
    defer { isFlushing = outer }
    if !drafts.isEmpty { noteAssigned(to: changed) }
    try handOverChangesOfAliases()
    let objects = changed
    changed = []
    var roots: [Object] = []
    let given = GivenRowIDs()
    let graph = ObjectGraph(store: store, policy: .all, own: context, given: given, rowIDs: rowID)
    let collections = FlushedCollections(of: self)
    graph.flushed = collections
    for object in objects { object._isListedAsChanged = false }
    do {
      // Before the objects are noted as they are.
      defer { undo.note(given) }
      try changing {
        roots.reserveCapacity(objects.count)
        for case let object as Object in objects where object._context === context {
          let binding = try store.binding(of: Swift.type(of: object))
          try checkKey(of: object, binding)
          // The embedded object may be one of a collection's.
          if binding.descriptor.parts.contains(where: { $0.isPart && object.isAssigned($0) }) {
            object.forgetStoredParts()
          }
          roots.append(object)
        }
        try graph.encode(roots)
        try writer.perform(graph.changes)
      }
    }
    try adopt(graph)
    try collections.noteStored()
    // The graph does not hold them itself, and `adopt` may release the last reference.
    withExtendedLifetime(roots) {}
  }

  /// Hands over the changes of aliases only: their other values may be older than the live instance.
  private func handOverChangesOfAliases() throws {
    if aliases.isEmpty { return }
    for object in changed {
      guard let id = aliases[object]?.id, let known = live[id] else { continue }
      // The alias has all values of the live instance.
      if object._isShared, !known._isListedAsChanged { continue }
      let binding = try store.binding(of: Swift.type(of: object))
      let key = IdentityMap.Key(table: binding.table.entry.id, key: try binding.key(of: object))
      guard key == id else { continue }
      for property in binding.descriptor.properties where object.isAssigned(property) {
        known.setValue(object.value(of: property), of: property)
      }
      object.clearAssigned(binding.descriptor)
      object._isListedAsChanged = false
    }
    changed.removeAll { !$0._isListedAsChanged }
  }

  /// A live object keeps its key: under another one it would be a second object.
  private func checkKey(of object: Object, _ binding: ObjectBinding) throws {
    guard binding.primaryKey.contains(where: { object.isAssigned($0) }) else { return }
    let key = try binding.key(of: object)
    let id = IdentityMap.Key(table: binding.table.entry.id, key: key)
    if live[id] === object || aliases[object]?.id == id { return }
    throw FiefError(
      .invalidValue,
      "The primary key of a stored object cannot be changed.",
      store: store.name,
      type: binding.table.name,
      property: binding.primaryKey.map(\.name).joined(separator: ", "),
      key: binding.table.text(ofKey: key)
    )
  }
}
