/// The objects of a save after their encoding: their state in the store.
extension ObjectGraph {
  /// Calls `body` with each object that was encoded, and the descriptor of its class.
  @inline(__always)
  func forEachObject(_ body: (ObjectBase, ObjectDescriptor) throws -> Void) rethrows {
    var descriptor: ObjectDescriptor?
    for object in objects {
      try object._withUnsafeGuaranteedRef { object in
        // Most objects of a save are of the class of the one before.
        if descriptor?.type != Swift.type(of: object) { descriptor = self.descriptor(of: object) }
        if let descriptor { try body(object, descriptor) }
      }
    }
    for part in parts { try body(part, self.descriptor(of: part)) }
  }

  private func descriptor(of object: ObjectBase) -> ObjectDescriptor {
    (try? knownClass(of: object).binding.descriptor) ?? object.descriptor
  }

  /// Keeps the objects alive as long as the graph, for a caller who does not wait.
  func holdObjects() { held = objects.map { $0.takeUnretainedValue() } }

  /// Marks the objects before their bytes are queued: later assignments, while the save waits, are not part of it.
  func markAsSaving() {
    assigned.reserveCapacity(objects.count + parts.count)
    forEachObject { object, descriptor in assigned.append(object.takeAssigned(descriptor)) }
  }

  /// Makes an object the store's, and keeps its former state.
  @inline(__always)
  func mark(_ object: ObjectBase, _ descriptor: ObjectDescriptor, _ context: ObjectContext) {
    let former = object._context
    if let former, former !== context { formerContexts[marked.count] = former }
    marked.append(
      Marked(assigned: object.takeAssigned(descriptor), wasNew: former == nil, stamp: object._stamp)
    )
    object._stamp = stamps[stamps.count - 1]
    if former !== context { object._context = context }
  }

  /// After a failed save: objects that were marked at once get their former state back, but stay the store's
  /// where another save uses their row id.
  func unmark() {
    GivenRowIDs.whileNoneEnds { unmarkLocked() }
    droppedDefaults.restore()
  }

  private func unmarkLocked() {
    for (index, former) in marked.enumerated() {
      objects[index]._withUnsafeGuaranteedRef { object in
        let isNew = former.wasNew && object._rowIDUses <= 1
        object._context = isNew ? nil : formerContexts[index] ?? object._context
        former.assigned.mark(object)
        object._stamp = former.stamp
      }
    }
    marked = []
    formerContexts = [:]
    unrevive()
  }

  /// Makes the parts the store's too, before the commit, and keeps their former state.
  func markPartsAtOnce() {
    for part in parts {
      markedParts.append((part._context, part.takeAssigned(descriptor(of: part))))
      part._context = context
    }
  }

  /// After a failed save: objects and parts that were marked at once get their former state back.
  func unmarkWithParts() {
    GivenRowIDs.whileNoneEnds {
      unmarkLocked()
      for (part, former) in zip(parts, markedParts) {
        part._context = former.context
        former.assigned.mark(part)
      }
    }
    droppedDefaults.restore()
    markedParts = []
  }

  /// After the commit of a save that marks its objects at once: their parts are the store's too.
  func markParts() {
    for part in parts {
      part._context = context
      part.clearAssigned(descriptor(of: part))
      part.noteOwnPlace()
    }
  }

  /// After a failed save:assigned values still have to be saved.
  func markAsNotSaved() {
    var rest = assigned[...]
    forEachObject { object, _ in rest.popFirst()?.mark(object) }
    droppedDefaults.restore()
  }

  /// Gives the objects the stamps of their records.
  func setStamps() {
    for (object, stamp) in zip(objects, stamps) { object._withUnsafeGuaranteedRef { $0._stamp = stamp } }
  }

  /// After the commit of a save that has compared its objects: gives them the stamps that the writer has found.
  func takeStamps(_ receipt: WriteReceipt) {
    // The operations on the objects come first, in the same order.
    for (index, written) in receipt.written.enumerated() where index < objects.count {
      objects[index]._withUnsafeGuaranteedRef { object in
        object._stamp = written.stamp
        guard !written.contents.isEmpty, let record = object._record ?? copyOfRecord(index) else { return }
        object._record = written.contents.reduce(record.stamped(written.stamp)) { $0.noting($1) }
      }
    }
  }

  private func copyOfRecord(_ index: Int) -> RecordCopy? {
    guard let known = try? knownClass(of: objects[index].takeUnretainedValue()) else { return nil }
    return changes.bytes.withUnsafeBytes {
      RecordCopy(changes.operations[index].record(in: $0), binding: known.binding)
    }
  }

  /// After the commit: the objects are the store's.
  func markAsSaved() {
    let context = ObjectContext(store: store, visible: visible)
    forEachObject { object, _ in object._context = context }
    for part in parts { part.noteOwnPlace() }
    setStamps()
  }
}
