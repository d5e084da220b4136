import FiefCore

extension FieldEncoder {
  /// Encodes the operations on one object, and the objects to which their values link.
  ///
  /// - Parameter merges: whether the object is created if it does not exist.
  func edit(of key: [UInt8], _ operations: [FieldOperation], merges: Bool) throws -> ObjectEdit {
    do {
      graph?.operandKey = key
      let edits = try edits(operations)
      let missing = merges ? try defaults() : nil
      try graph?.encodeLinked()
      return ObjectEdit(edits: edits, key: key, missing: missing)
    } catch var error as FiefError where error.type == binding.table.name && error.key == nil {
      error.key = binding.table.text(ofKey: key)
      throw error
    }
  }
}

extension FieldEncoder {
  /// Encodes operations outside a write. Returns the result and the new objects to which the values link.
  static func encoded<Value>(
    _ binding: ObjectBinding,
    seeing visible: VisibleTypes?,
    in core: StoreCore,
    _ encode: (FieldEncoder) throws -> Value
  ) throws -> (Value, linked: PreparedChanges) {
    // Most operations involve numbers and texts only. For them, creating an object graph would take longer
    // than everything else.
    do {
      return (try encode(FieldEncoder(core: core, binding: binding, graph: nil)), PreparedChanges())
    } catch is NeedsGraph {
      var value: Value?
      let linked = try Saving.linked(seeing: visible, in: core) { graph in
        value = try encode(FieldEncoder(core: core, binding: binding, graph: graph))
      }
      guard let value else { throw NeedsGraph() }
      return (value, linked)
    }
  }
}

extension StoreCore {
  /// Returns the key of an object that is or was in the store.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` if the object belongs to another store, or
  ///   `objectNotFound` if it has no primary key and was never stored.
  func storedKey(of object: Object, _ binding: ObjectBinding) throws -> [UInt8] {
    try Saving.checkOrigin(of: object, binding, in: self)
    guard !binding.primaryKey.isEmpty || object._rowID != 0 else {
      throw FiefError(
        .objectNotFound,
        "The object cannot be changed in the store because it was never stored.",
        store: name,
        type: binding.table.name
      )
    }
    return try binding.key(of: object)
  }
}

extension Saving {
  /// Encodes copies of objects. The objects themselves remain unchanged.
  static func copy(
    of objects: [Object],
    policy: UpdatePolicy,
    seeing visible: VisibleTypes?,
    in core: StoreCore
  ) throws -> PreparedChanges {
    try copied(objects, policy, visible, core) { try $0.encode(objects) }
  }

  /// Returns the new and changed objects to which the encoded values of a closure link.
  static func linked(
    seeing visible: VisibleTypes?,
    in core: StoreCore,
    _ encode: (ObjectGraph) throws -> Void
  ) throws -> PreparedChanges {
    try copied([], .assigned, visible, core, encode)
  }

  private static func copied(
    _ objects: [Object],
    _ policy: UpdatePolicy,
    _ visible: VisibleTypes?,
    _ core: StoreCore,
    _ encode: (ObjectGraph) throws -> Void
  ) throws -> PreparedChanges {
    let given = ProvisionalRowIDs()
    // An object that kept its row id would be written with it to the next store in which it is saved.
    defer { given.takeBack() }
    return try withoutActuallyEscaping(encode) { encode in
      let graph = try graphReserving(
        objects,
        SaveOptions(policy, seeing: visible),
        given,
        marksAtOnce: false,
        isUrgent: true,
        in: core,
        encode
      )
      graph.undoEncoding()
      return graph.changes
    }
  }
}
