/// The state of an object and its embedded objects before the object joined a write, or before a failed write
/// changed it. A rollback restores it.
final class UndoRecord {
  private struct Field {
    let value: any Persistable
    let flags: UInt8
    /// The former contents of a collection.
    let contents: OwnedCollection?

    var isDraft: Bool { flags & PersistedFlags.assigned != 0 }
  }

  private(set) weak var object: ObjectBase?
  /// A strong reference, so that the object lives until the rollback; nil if the write keeps the object.
  private let kept: ObjectBase?
  private weak var owner: ObjectBase?
  private let context: ObjectContext?
  private let record: RecordCopy?
  private let stamp: UInt
  /// The fields, in the order of the class's properties.
  private let fields: [Field]
  private let parts: [UndoRecord]
  /// Whether there are unsaved assignments.
  let hasDrafts: Bool
  /// The indices of the properties that the write has assigned.
  private var assigned: Set<Int> = []

  init(_ object: ObjectBase, isKept: Bool = false, depth: Int = 0) {
    self.object = object
    kept = isKept ? object : nil
    owner = (object as? EmbeddedObject)?._owner
    context = object._context
    record = object._record
    stamp = object._stamp
    var fields: [Field] = []
    var parts: [EmbeddedObject] = []
    for property in object.descriptor.properties {
      let flags = object.flags(of: property)
      let value = object.valueInMemory(of: property)
      let collection = property.access == .collection ? value as? OwnedCollection : nil
      fields.append(Field(value: value, flags: flags, contents: collection?.saved()))
      if property.type.kind != .embedded || flags & PersistedFlags.deferred != 0 { continue }
      if let collection {
        parts += collection.readParts
      } else if let part = value as? EmbeddedObject {
        parts.append(part)
      }
    }
    self.fields = fields
    self.parts = depth < ObjectGraph.deepestEmbedding ? parts.map { UndoRecord($0, depth: depth + 1) } : []
    hasDrafts = fields.contains(where: \.isDraft) || self.parts.contains(where: \.hasDrafts)
  }

  var isKept: Bool { kept != nil }

  /// Restores the object to this state, because nothing was written.
  func restore() {
    guard let object else { return }
    object._record = record
    if record == nil { object._stamp = stamp }
    object._context = context
    (object as? EmbeddedObject)?._owner = owner
    for part in parts { part.restore() }
    for (property, field) in zip(object.descriptor.properties, fields) { put(field, property, object) }
  }

  private func put(_ field: Field, _ property: PropertyDescriptor, _ object: ObjectBase) {
    let wasRead = object.flags(of: property) & PersistedFlags.deferred == 0
    object.withFields { base in
      property.field.restore(field.value, base + property.offset)
      base.storeBytes(of: field.flags, toByteOffset: property.flagsOffset, as: UInt8.self)
    }
    guard let contents = field.contents, let collection = field.value as? OwnedCollection else { return }
    collection.restore(contents)
    guard wasRead, field.flags & PersistedFlags.deferred != 0 else { return }
    // The write was the first to read the collection, and the application may still hold it.
    object.withFields {
      property.field.performFirstRead($0 + property.offset, owner: object, offset: property.offset)
    }
  }

  /// Remembers which of the object's unsaved properties the write itself has assigned. Called before they are
  /// written.
  func noteAssigned() {
    guard hasDrafts, let object else { return }
    for (index, property) in object.descriptor.properties.enumerated() where fields[index].isDraft {
      if object.isAssigned(property) { assigned.insert(index) }
    }
    for part in parts { part.noteAssigned() }
  }

  /// Restores the unsaved values that were assigned to the object before the write, except properties that
  /// the write has assigned.
  ///
  /// - Returns: whether any value was restored.
  @discardableResult
  func restoreDrafts() -> Bool {
    guard hasDrafts, let object, object._context?.store != nil else { return false }
    let changed = Set(
      parts.filter { $0.restoreDrafts() }.compactMap { $0.object.map { ObjectIdentifier($0) } }
    )
    var isFound = !changed.isEmpty
    for (index, property) in object.descriptor.properties.enumerated() {
      let field = fields[index]
      let part = property.access == .fault ? field.value as? EmbeddedObject : nil
      let isInPlace = part != nil && object.valueInMemory(of: property) as? EmbeddedObject === part
      if field.isDraft, !isInPlace, !assigned.contains(index) {
        put(field, property, object)
        part?._owner = object
        isFound = true
      }
      if property.type.kind != .embedded || changed.isEmpty { continue }
      let value = object.valueInMemory(of: property)
      let held = (value as? OwnedCollection)?.readParts ?? (value as? EmbeddedObject).map { [$0] } ?? []
      if held.contains(where: { changed.contains(ObjectIdentifier($0)) }) { object.markAssigned(property) }
    }
    return isFound
  }

  /// Restores the unsaved elements of a collection before the write changes it.
  ///
  /// - Returns: whether the collection belongs to the object.
  func takeUp(_ collection: OwnedCollection) -> Bool {
    guard hasDrafts, let object else { return false }
    for (index, property) in object.descriptor.properties.enumerated() {
      let field = fields[index]
      guard field.contents != nil, field.value as? OwnedCollection === collection else { continue }
      if field.isDraft, !assigned.contains(index), !object.isAssigned(property) {
        put(field, property, object)
        assigned.insert(index)
      }
      return true
    }
    return parts.contains { $0.takeUp(collection) }
  }
}
