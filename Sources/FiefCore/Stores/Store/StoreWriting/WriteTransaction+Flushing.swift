import LMDB

/// Writing the changes of live objects.
extension WriteTransaction {
  /// Writes the assigned values, unless this is not possible now. Returns whether it was possible.
  func flushSharing() throws -> Bool {
    if !activity.isDisjoint(with: [.decoding, .flushing]) { return false }
    try flush()
    return true
  }

  /// Writes the assigned values of live objects, so that reads and the commit see them.
  package func flush() throws {
    if !changed.isEmpty { try during(.flushing, flushNow) }
  }

  private func flushNow() throws {
    if !drafts.isEmpty { noteAssigned(to: changed) }
    try handOverChangesOfAliases()
    let objects = changed
    changed = []
    var roots: [Object] = []
    let given = ProvisionalRowIDs()
    let options = SaveOptions(.all, seeing: nil)
    let graph = ObjectGraph(store: store, options, in: self, given: given, rowIDs: rowIDs.next)
    let collections = FlushedCollections(of: self)
    graph.flushed = collections
    for object in objects { object._isListedAsChanged = false }
    do {
      // This comes before the identities of the objects are noted.
      defer { note(given) }
      try changing {
        roots.reserveCapacity(objects.count)
        for case let object as Object in objects where object._context === context {
          let binding = try store.binding(of: Swift.type(of: object))
          try checkKey(of: object, binding)
          // The embedded object may belong to a collection.
          if binding.descriptor.parts.contains(where: { $0.isPart && object.isAssigned($0) }) {
            object.forgetStoredParts()
          }
          roots.append(object)
        }
        try graph.encode(roots)
        try writer.perform(graph.changes)
      }
    } catch {
      // The assignments would be lost without a word if the write went on.
      fail(error)
      throw error
    }
    try adopt(graph)
    try collections.noteStored()
    // The graph itself does not hold the objects, and `adopt` may release the last reference.
    withExtendedLifetime(roots) {}
  }

  /// Transfers the changes of aliases to the live instances. Only changes are transferred, because the other
  /// values of an alias may be older.
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

  /// Checks that a live object keeps its key. Under another key it would be a second object.
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
