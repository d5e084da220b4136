import FiefCore
import LMDB

/// A change of all objects in results. It is `Sendable`, so that it can be passed to the thread of the write
/// queue.
enum BulkChange: Sendable {
  /// Operations on each object, and the new objects to which their values link.
  case update(FieldEdits, linked: PreparedChanges)
  case delete

  var onlyDeletes: Bool { if case .delete = self { true } else { false } }
}

/// Thrown to discard encoded operations that would change no object.
private struct NothingToChange: Error {}

extension Results {
  /// Applies a change in the write to which the results belong.
  ///
  /// - Parameter isWhole: whether the write consists only of this change. The write then fails if the change
  ///   fails.
  /// - Returns: the number of objects.
  func change(_ change: BulkChange, in scope: WriteTransaction, isWhole: Bool) throws -> Int {
    switch change {
    case .update(let edits, let linked):
      let (keys, count) = try keysOfObjects(in: scope, isWhole: isWhole)
      guard let first = keys.firstKey else { return 0 }
      if !linked.isEmpty {
        try naming(first, in: scope.store) { try scope.changing { try scope.writer.perform(linked) } }
      }
      try scope.apply(edits, to: keys, isWhole: isWhole)
      return count
    case .delete:
      let table = try scope.store.binding(of: elementType).table
      if description.isWhole, description.condition == nil, description.members == nil {
        let count = try withTransaction { store, transaction, _ in try store.count(table, in: transaction) }
        try scope.deleteAll(of: table)
        return count
      }
      let (keys, count) = try keysOfObjects(in: scope, isWhole: isWhole)
      try scope.delete(keys, from: table)
      return count
    }
  }

  /// Returns the keys of the objects, each once, in the order of the results.
  ///
  /// All keys are found before the first change, because a change may affect whether later objects match. If
  /// the write has changed nothing yet, the keys are read from the commit that precedes the write, where
  /// pages that were verified before are not verified again.
  private func keysOfObjects(in scope: WriteTransaction, isWhole: Bool) throws -> (
    keys: RecordBatch, count: Int
  ) {
    guard isWhole, !scope.writer.transaction.isChanged else { return try keysOfObjects() }
    let committed = ObjectContext(store: scope.store, visible: context.visible, isFrozen: true)
    do { return try rebound(to: committed).keysOfObjects() } catch let error as FiefError {
      guard error.code == .tooManyReaders else { throw error }
      return try keysOfObjects()
    }
  }

  private func keysOfObjects() throws -> (keys: RecordBatch, count: Int) {
    let keys = RecordBatch()
    var count = 0
    var seen: Set<[UInt8]> = []
    let mayRepeat = description.members != nil
    try forEachRow { row, _ in
      if mayRepeat, !seen.insert([UInt8](row.key)).inserted { return true }
      keys.append(key: row.key, record: UnsafeRawBufferPointer(start: nil, count: 0))
      count += 1
      return true
    }
    return (keys, count)
  }

  /// Applies operations in the write that the results belong to.
  ///
  /// - Returns: the number of objects.
  func update(_ operations: [FieldOperation], in scope: WriteTransaction) throws -> Int {
    let binding = try scope.store.binding(of: elementType)
    let (keys, count) = try keysOfObjects()
    var hasLinked = false
    let edits: FieldEdits
    do {
      edits = try scope.encoding(update: .assigned) { graph in
        graph.operandKey = keys.firstKey
        graph.checksLinksLater = count == 0
        let edits = try FieldEncoder(core: scope.store, binding: binding, graph: graph).edits(operations)
        try graph.encodeLinked()
        // The operations were checked, and the new objects that they link are not written.
        if count == 0 { throw NothingToChange() }
        hasLinked = graph.changes.hasOperations
        return edits
      }
    } catch is NothingToChange { return 0 }
    return try scope.applying(hasLinked: hasLinked) {
      try scope.apply(edits, to: keys, isWhole: false)
      return count
    }
  }

  /// Adds the type and a key to errors of links that all objects get.
  private func naming(_ key: [UInt8], in store: StoreCore, _ body: () throws -> Void) throws {
    do { try body() } catch {
      let table = try store.binding(of: elementType).table
      throw FiefError.described(error, store: store.name, type: table.name, key: table.shown(key))
    }
  }

  /// Returns the store of the results, in which all of their objects are changed.
  func changedStore() throws -> StoreCore {
    let store = try openStore(toBe: "changed")
    guard context.isFrozen else { return store }
    throw FiefError(
      .invalidValue,
      "The results belong to a frozen object, which cannot be changed.",
      store: store.name,
      type: elementType.className()
    )
  }

  /// Returns the write queue's work that makes a change.
  ///
  /// - Parameter count: receives the number of objects.
  func work(_ change: BulkChange, count: Lock<Int>) -> WriteWork {
    let results = self
    let visible = context.visible
    return .body(
      { scope in
        let results = results.rebound(to: scope.seeing(visible).context)
        let number = try results.change(change, in: scope, isWhole: true)
        count.withLock { $0 = number }
      },
      onlyDeletes: change.onlyDeletes
    )
  }

  /// Encodes operations outside a write.
  func encoded(_ operations: [FieldOperation], in store: StoreCore) throws -> BulkChange {
    let binding = try store.binding(of: elementType)
    let (edits, linked) = try FieldEncoder.encoded(binding, seeing: context.visible, in: store) { encoder in
      encoder.graph?.checksLinksLater = true
      let edits = try encoder.edits(operations)
      try encoder.graph?.encodeLinked()
      return edits
    }
    return .update(edits, linked: linked)
  }
}
