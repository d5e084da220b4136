/// Encoding deletions as changes that contain the keys of the objects.
extension Saving {
  /// Returns the deletion of objects as changes. A single object loads its large collections first; for many
  /// objects this would take too much memory.
  package static func deletion(of objects: some Collection<Object>, in core: StoreCore) throws
    -> PreparedChanges
  {
    if objects.count == 1, let object = objects.first { object.keepForDeletion() }
    var changes = PreparedChanges()
    var writer = ValueWriter()
    for object in objects {
      let binding = try core.binding(of: Swift.type(of: object))
      try checkOrigin(of: object, binding, in: core)
      let start = writer.count
      do { try binding.appendKey(of: object, to: &writer) } catch { throw core.described(error) }
      let table = changes.index(of: binding.table)
      changes.appendDeletion(.delete, table: table, key: start..<writer.count, in: writer)
    }
    changes.finish(&writer)
    return changes
  }

  /// - Throws: ``FiefError`` of code `foreignObject` for an object of another store, because its key may
  ///   belong to a different object here.
  package static func checkOrigin(of object: Object, _ binding: ObjectBinding, in core: StoreCore) throws {
    guard let origin = object._context?.store, !origin.isSame(as: core) else { return }
    throw FiefError.foreignObject(
      "The object was read from another store.",
      readFrom: origin,
      in: core,
      type: binding.table.name
    )
  }

  /// Returns the deletion of the objects with some primary keys, as changes.
  package static func deletion(
    ofType type: Object.Type,
    forPrimaryKeys keys: some Sequence,
    in core: StoreCore
  )
    throws
    -> PreparedChanges
  {
    let binding = try core.binding(of: type)
    var changes = PreparedChanges()
    var writer = ValueWriter()
    let table = changes.index(of: binding.table)
    for key in keys {
      let start = writer.count
      let encoded = try binding.key(fromPrimaryKey: key, store: core.name)
      encoded.withUnsafeBytes { writer.append($0) }
      changes.appendDeletion(.delete, table: table, key: start..<writer.count, in: writer)
    }
    changes.finish(&writer)
    return changes
  }

  static func deletionOfAll(_ type: Object.Type, in core: StoreCore) throws -> PreparedChanges {
    var changes = PreparedChanges()
    let table = changes.index(of: try core.binding(of: type).table)
    changes.appendDeletion(.deleteAll, table: table, key: 0..<0, in: ValueWriter())
    return changes
  }
}
