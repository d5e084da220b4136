/// What objects were before a transaction made them its own or deleted them.
///
/// A rolled back transaction must not leave objects behind that say they are stored: they would be linked
/// instead of saved, or written under a row id that was never committed.
struct ObjectUndo {
  private struct Entry {
    let object: ObjectBase
    let context: ObjectContext?
    let rowID: Int64
    let assigned: AssignedProperties
  }

  private var entries: [Entry] = []
  private var given: [GivenRowIDs] = []

  /// Remembers an object as it is.
  mutating func note(_ object: ObjectBase) {
    entries.append(
      Entry(
        object: object, context: object._context, rowID: object._rowID,
        assigned: AssignedProperties(of: object)))
  }

  /// Remembers that objects got row ids.
  mutating func note(_ rowIDs: GivenRowIDs) {
    if !rowIDs.objects.isEmpty { given.append(rowIDs) }
  }

  /// Makes the objects what they were, the last change first.
  mutating func restore() {
    for entry in entries.reversed() {
      entry.object._context = entry.context
      entry.object._rowID = entry.rowID
      entry.assigned.mark(entry.object)
    }
    entries = []
    for given in given { given.takeBack() }
    given = []
  }
}

/// Which properties of an object were assigned; those beyond the 64th count as such.
private struct AssignedProperties {
  private var bits: UInt64 = 0

  init(of object: ObjectBase) {
    for (index, property) in object.descriptor.properties.prefix(64).enumerated()
    where object.isAssigned(property) {
      bits |= 1 << UInt64(index)
    }
  }

  func mark(_ object: ObjectBase) {
    for (index, property) in object.descriptor.properties.enumerated()
    where index >= 64 || bits & (1 << UInt64(index)) != 0 {
      object.markAssigned(property)
    }
  }
}
