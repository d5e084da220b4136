/// The states that objects had before a transaction added or deleted them.
///
/// After a rollback, objects must not appear to be stored. Otherwise they would be linked instead of saved,
/// or written under a row id that was never committed. Entries of released objects are removed, so that a
/// long import runs in bounded memory.
struct ObjectUndo {
  private struct Entry {
    weak var object: ObjectBase?
    /// The former state; nil if the write only uses the object's row id, and a rollback takes this use back.
    let state: State?
  }

  private struct State {
    let context: ObjectContext?
    let rowID: Int64
    let rowIDUses: UInt32
    let wasDeleted: Bool
    let assigned: AssignedProperties
  }

  private var entries: [Entry] = []
  /// The default values that objects dropped because they were added to stored objects.
  var droppedDefaults = DroppedDefaults()
  private var sweepAt = 1024

  /// Records the current state of an object.
  ///
  /// - Parameter wasDeleted: whether the object was deleted before it was added.
  mutating func note(_ object: ObjectBase, wasDeleted: Bool = false) {
    let state = State(
      context: object._context,
      rowID: object._rowID,
      rowIDUses: object._rowIDUses,
      wasDeleted: wasDeleted || object._wasDeleted,
      assigned: AssignedProperties(of: object, object.descriptor)
    )
    append(Entry(object: object, state: state))
  }

  /// Records that the write uses row ids that were assigned to objects, by the write or by a waiting save.
  /// Must be called before the states of these objects are recorded.
  mutating func note(_ given: GivenRowIDs) {
    for object in given.objects { append(Entry(object: object, state: nil)) }
    for object in given.shared { append(Entry(object: object, state: nil)) }
  }

  private mutating func append(_ entry: Entry) {
    entries.append(entry)
    guard entries.count >= sweepAt else { return }
    entries.removeAll { $0.object == nil }
    sweepAt = max(1024, entries.count * 2)
  }

  /// Restores the former states of the objects, in reverse order of the changes.
  mutating func restore() {
    for entry in entries.reversed() {
      guard let object = entry.object else { continue }
      guard let state = entry.state else {
        GivenRowIDs.takeBack(object)
        continue
      }
      object._context = state.context
      if object._rowID != state.rowID {
        // The object was deleted.
        object._rowID = state.rowID
        object._rowIDUses = state.rowIDUses
      }
      object._wasDeleted = state.wasDeleted
      state.assigned.mark(object)
    }
    entries = []
    droppedDefaults.restore()
  }
}

/// The assigned properties of an object.
struct AssignedProperties {
  private var bits: UInt64 = 0
  /// The indices of assigned properties after the 64th.
  private var others: [Int32] = []

  fileprivate init(bits: UInt64, others: [Int32]) {
    self.bits = bits
    self.others = others
  }

  init(of object: ObjectBase, _ descriptor: ObjectDescriptor) {
    self = object.assigned(descriptor, clearing: false)
  }

  func mark(_ object: ObjectBase) {
    if bits == 0, others.isEmpty { return }
    for (index, property) in object.descriptor.properties.enumerated()
    where index < 64 ? bits & (1 << UInt64(index)) != 0 : others.contains(Int32(truncatingIfNeeded: index)) {
      object.markAssigned(property)
    }
  }
}

extension ObjectBase {
  /// Returns the assigned properties, and unmarks them.
  func takeAssigned(_ descriptor: ObjectDescriptor) -> AssignedProperties {
    assigned(descriptor, clearing: true)
  }

  fileprivate func assigned(_ descriptor: ObjectDescriptor, clearing: Bool) -> AssignedProperties {
    var bits: UInt64 = 0
    var others: [Int32] = []
    withFields { base in
      for (index, offset) in descriptor.flagsOffsets.enumerated() {
        let flags = base.load(fromByteOffset: Int(offset), as: UInt8.self)
        guard flags & PersistedFlags.assigned != 0 else { continue }
        if index < 64 {
          bits |= 1 << UInt64(truncatingIfNeeded: index)
        } else {
          others.append(Int32(truncatingIfNeeded: index))
        }
        guard clearing else { continue }
        base.storeBytes(of: flags & ~PersistedFlags.assigned, toByteOffset: Int(offset), as: UInt8.self)
      }
    }
    return AssignedProperties(bits: bits, others: others)
  }
}
