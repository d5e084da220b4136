/// The state of a save's objects after they were encoded.
extension ObjectGraph {
  /// Calls `body` with each encoded object and the descriptor of its class.
  @inline(__always)
  func forEachObject(_ body: (ObjectBase, ObjectDescriptor) throws -> Void) rethrows {
    var descriptor: ObjectDescriptor?
    for object in objects {
      try object._withUnsafeGuaranteedRef { object in
        // Most objects of a save have the same class as the previous object.
        if descriptor?.type != Swift.type(of: object) { descriptor = self.descriptor(of: object) }
        if let descriptor { try body(object, descriptor) }
      }
    }
    for part in parts { try body(part, self.descriptor(of: part)) }
  }

  private func descriptor(of object: ObjectBase) -> ObjectDescriptor {
    (try? knownClass(of: object).binding.descriptor) ?? object.descriptor
  }

  /// Keeps the objects alive as long as the graph. Required for a save whose caller does not wait.
  func holdObjects() { held = objects.map { $0.takeUnretainedValue() } }

  /// Marks the objects before their bytes are enqueued. Assignments that are made while the save waits do not
  /// belong to it.
  func markAsSaving() {
    assigned.reserveCapacity(objects.count + parts.count)
    forEachObject { object, descriptor in assigned.append(object.takeAssigned(descriptor)) }
  }

  /// Makes an object belong to the store, and records its former state.
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

  /// Restores the former state of objects that were marked immediately, after a failed save. Objects whose
  /// row id is used by another save still belong to the store.
  func unmark() {
    ProvisionalRowIDs.whileNoneEnds { unmarkLocked() }
    undoEncoding()
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
  }

  /// Makes the embedded objects belong to the store before the commit, and records their former state.
  func markPartsAtOnce() {
    for part in parts {
      markedParts.append((part._context, part.takeAssigned(descriptor(of: part))))
      part._context = context
    }
  }

  /// Called after the commit of a save that has marked its objects immediately, on any thread.
  func noteCommit() {
    context?.isAwaitingSave = false
    outcome?.end(isSaved: true)
  }

  /// Restores the former state of objects and embedded objects that were marked immediately, after a failed
  /// save.
  func unmarkWithParts() {
    ProvisionalRowIDs.whileNoneEnds {
      unmarkLocked()
      for (part, former) in zip(parts, markedParts) {
        part._context = former.context
        former.assigned.mark(part)
      }
    }
    undoEncoding()
    markedParts = []
  }

  /// Makes the embedded objects belong to the store, after the commit of a save that marks its objects
  /// immediately.
  func markParts() {
    outcome?.end(isSaved: true)
    for part in parts {
      part._context = context
      part.clearAssigned(descriptor(of: part))
      part.noteOwnPlace()
    }
  }

  /// Marks the assigned values as unsaved again, after a failed save.
  func markAsNotSaved() {
    var rest = assigned[...]
    forEachObject { object, _ in rest.popFirst()?.mark(object) }
    undoEncoding()
  }

  /// Sets the stamps of the objects to the stamps of their records.
  func setStamps() {
    for (object, stamp) in zip(objects, stamps) { object._withUnsafeGuaranteedRef { $0._stamp = stamp } }
  }

  /// Sets the stamps of the objects to the stamps in a receipt, after the commit of a save that has compared
  /// its objects.
  func takeStamps(_ receipt: WriteReceipt) {
    // The operations of the objects come first, in the same order.
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

  /// Makes the objects belong to the store, after the commit.
  func markAsSaved() {
    outcome?.end(isSaved: true)
    let context = ObjectContext(store: store, visible: visible)
    forEachObject { object, _ in object._context = context }
    for part in parts { part.noteOwnPlace() }
    setStamps()
  }
}
