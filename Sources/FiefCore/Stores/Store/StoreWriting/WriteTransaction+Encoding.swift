/// Encoding objects that are added or changed, and making them live.
extension WriteTransaction {
  /// Encodes objects, or values that may link new objects, and writes the objects. Afterwards the objects are
  /// live.
  ///
  /// - Parameters:
  ///   - update: the treatment of an object whose key exists.
  ///   - made: the objects that were created from values.
  ///   - encode: encodes the objects or values.
  package func encoding<Value>(
    update: UpdatePolicy,
    made: ObjectPlaces? = nil,
    _ encode: (ObjectGraph) throws -> Value
  ) throws -> Value {
    _ = try liveTransaction()
    try flush()
    return try withoutJoining { try encodeNow(update: update, made: made, encode) }
  }

  private func encodeNow<Value>(
    update: UpdatePolicy,
    made: ObjectPlaces?,
    _ encode: (ObjectGraph) throws -> Value
  ) throws -> Value {
    let given = ProvisionalRowIDs()
    let graph = ObjectGraph(
      store: store,
      SaveOptions(update, seeing: nil),
      made: made,
      in: self,
      given: given,
      rowIDs: rowIDs.next
    )
    let value: Value
    do {
      value = try undo.step {
        let value = try encode(graph)
        graph.changes.claims = try rowIDs.newClaims(on: given.shared)
        try changing { try writer.perform(graph.changes, checkingFirst: !graph.changes.isAtomicByItself) }
        return value
      }
    } catch {
      given.takeBack()
      throw error
    }
    rowIDs.add(graph.changes.claims)
    note(given)
    try adopt(graph)
    return value
  }

  /// Calls a closure that visits objects. The objects do not join the write meanwhile.
  func withoutJoining<Value>(_ body: () throws -> Value) rethrows -> Value { try during(.visiting, body) }

  /// Notes that the write uses row ids that were assigned to objects, by the write or by a waiting save.
  func note(_ given: ProvisionalRowIDs) {
    for object in given.objects { undo.append(.rowIDUse, of: object) }
    for object in given.shared { undo.append(.rowIDUse, of: object) }
  }

  /// Notes an object that becomes live.
  @inline(__always)
  private func note(_ object: ObjectBase, _ descriptor: ObjectDescriptor) {
    // New objects have neither a record nor a stamp.
    if object._source != 0, object is Object {
      undo.append(object._record.map(UndoneChange.record) ?? .stamp(object._stamp), of: object)
    }
    undo.append(.identity(IdentityRecord(object, descriptor)), of: object)
  }

  /// Makes the objects of a graph live. If another instance was live under the same key, it gets the new
  /// values.
  func adopt(_ graph: ObjectGraph) throws {
    savedGraphs &+= 1
    deletions += graph.revived.count
    var stamps = graph.stamps[...]
    var changed: [IdentityMap.Key] = []
    try graph.forEachObject { object, descriptor in
      let stamp = object is Object ? stamps.popFirst() ?? 0 : 0
      let isLive = object._context === context
      if !isLive { note(object, descriptor) }
      // The other values come from the stored object.
      if !isLive, object is Object, graph.writesPart(of: object) {
        try readUnassigned(of: object, descriptor)
      }
      object.clearAssigned(descriptor)
      if object is Object { object._stamp = stamp }
      if descriptor.hasParts { object.expectPartsToBeHandedOut(descriptor) }
      if !descriptor.derivedProperties.isEmpty { try readDerived(of: object) }
      if isLive { return }
      object._context = context
      guard object is Object else {
        (object as? EmbeddedObject)?.noteOwnPlace()
        return
      }
      let binding = try store.binding(of: Swift.type(of: object))
      let id = IdentityMap.Key(table: binding.table.entry.id, key: try binding.key(of: object))
      if let known = live[id], known !== object {
        known.copyPersistedValues(from: object, descriptor: binding.descriptor)
        known.clearAssigned(binding.descriptor)
        // The copied values may be older than values that were derived meanwhile.
        if binding.table.hasDerived { try readDerived(of: known) }
        aliases.insert(object, besides: known, id)
        if known._isShared { changed.append(id) }
      } else {
        _ = live.insert(object, for: id)
      }
    }
    // This comes after the linked objects have become live.
    for part in graph.parts { noteLinks(of: part, part.descriptor) }
    for id in changed { try refreshInstances(of: id) }
  }
}
