import Foundation
import LMDB

extension Results {
  /// Calls `body` with the transaction of the scope that the results came from, or with a new one.
  func withTransaction<Value>(
    _ body: (StoreCore, LMDB.Transaction, WriteTransaction?) throws -> Value
  ) throws -> Value {
    if let failure { throw failure }
    guard let store = context.store else {
      throw FiefError(.storeClosed, "The store is closed.", type: Element.className())
    }
    if let scope = context.currentScope {
      try scope.prepareForReading()
      return try body(store, try scope.liveTransaction(), scope as? WriteTransaction)
    }
    return try store.read { try body(store, $0, nil) }
  }

  /// Calls a closure with each object, all read in one transaction.
  ///
  /// - Throws: what the closure throws, and ``FiefError`` for a closed store, a damaged record, or a
  ///   property that does not exist.
  public func forEachObject(_ body: (Element) throws -> Void) throws {
    try withTransaction { store, transaction, scope in
      let binding = try store.binding(of: Element.self)
      if !order.isEmpty {
        for key in try objectKeys(binding, transaction, scope) {
          if let object = try load(key, binding, transaction, scope) { try body(object) }
        }
        return
      }
      guard let records = binding.table.records else { return }
      let cursor = try transaction.cursor(records)
      guard let scope else { return try scan(binding, cursor, body) }
      var found = try cursor.first()
      while found {
        // The closure may delete what the cursor is at, so that it is looked up again.
        let key = ObjectKey(cursor.key)
        if let object = try match(binding, cursor, scope, context) { try body(object) }
        found = try cursor.seek(after: key)
      }
    }
  }

  private func scan(
    _ binding: ObjectBinding,
    _ cursor: Cursor,
    _ body: (Element) throws -> Void
  ) throws {
    let context = context
    var found = try cursor.first()
    while found {
      let object = try make(binding, key: cursor.key, record: cursor.value, context)
      found = try cursor.next()
      if try holds(object) { try body(object) }
    }
  }

  /// Makes an object from a record, outside of a write; `binding` is that of the class.
  @inline(__always)
  func make(
    _ binding: ObjectBinding,
    key: UnsafeRawBufferPointer,
    record: UnsafeRawBufferPointer,
    _ context: ObjectContext
  ) throws -> Element {
    // SAFETY: a store finds a binding by its class, so that it makes objects of exactly that.
    unsafeDowncast(try binding.decode(key: key, record: record, context: context), to: Element.self)
  }

  /// Whether the predicates hold for an object. Without any their type is not even asked for: that is a
  /// look-up in the runtime's tables.
  @inline(__always)
  func holds(_ object: Element) throws -> Bool { try !hasPredicates || matches(object) }

  /// The object that a cursor is at, nil where a predicate does not hold for it.
  @inline(__always)
  func match(
    _ binding: ObjectBinding,
    _ cursor: Cursor,
    _ scope: WriteTransaction?,
    _ context: ObjectContext
  ) throws -> Element? {
    guard let scope else {
      let object = try make(binding, key: cursor.key, record: cursor.value, context)
      return try holds(object) ? object : nil
    }
    let found = try scope.instance(of: binding, key: cursor.key, record: cursor.value)
    guard let object = found.cast(to: Element.self), try holds(object) else { return nil }
    return object
  }

  @inline(never)
  private func matches(_ object: Element) throws -> Bool {
    for predicate in predicates where try !predicate.evaluate(object) { return false }
    return true
  }

  /// The keys of the objects, in order.
  func objectKeys() throws -> [ObjectKey] {
    try withTransaction { store, transaction, scope in
      try objectKeys(try store.binding(of: Element.self), transaction, scope)
    }
  }

  private func objectKeys(
    _ binding: ObjectBinding,
    _ transaction: LMDB.Transaction,
    _ scope: WriteTransaction?
  ) throws -> [ObjectKey] {
    guard let records = binding.table.records else { return [] }
    let columns = try sortColumns(binding, store: context.store?.name)
    var rows: [(sortKeys: [[UInt8]], key: ObjectKey)] = []
    let cursor = try transaction.cursor(records)
    var found = try cursor.first()
    while found {
      if try !hasPredicates || match(binding, cursor, scope, context) != nil {
        let sortKeys = try columns.isEmpty ? [] : elements(of: columns, cursor, binding.table)
        rows.append((sortKeys, ObjectKey(cursor.key)))
      }
      found = try cursor.next()
    }
    if !columns.isEmpty { rows.sort(by: precedes) }
    return rows.map(\.key)
  }

  /// The object at one place of all, which `place` chooses; nil for nil.
  func object(at place: ([ObjectKey]) -> Int?) throws -> Element? {
    try withTransaction { store, transaction, scope in
      let binding = try store.binding(of: Element.self)
      let keys = try objectKeys(binding, transaction, scope)
      guard let index = place(keys) else { return nil }
      return try load(keys[index], binding, transaction, scope)
    }
  }

  private func elements(of columns: [ColumnEntry], _ cursor: Cursor, _ table: Table) throws -> [[UInt8]] {
    let view = try table.view(cursor.value)
    return try columns.map { try IndexElement.element($0, of: table, in: view, key: cursor.key) }
  }

  private func sortColumns(_ binding: ObjectBinding, store: String?) throws -> [ColumnEntry] {
    try order.map { order in
      guard let property = binding.descriptor.property(named: order.keyPath),
        let column = binding.table.entry.column(named: property.column)
      else {
        throw FiefError(
          .unknownProperty,
          "The type has no such property to sort by.",
          store: store,
          type: binding.table.name,
          property: order.keyPath
        )
      }
      guard column.type.isIndexable else {
        throw FiefError(
          .invalidValue,
          "The property's type has no order.",
          store: store,
          type: binding.table.name,
          property: order.keyPath,
          details: ["type: \(column.type)"]
        )
      }
      return column
    }
  }

  /// The order of two rows; equal ones keep the order of their keys.
  private func precedes(
    _ first: (sortKeys: [[UInt8]], key: ObjectKey),
    _ second: (sortKeys: [[UInt8]], key: ObjectKey)
  ) -> Bool {
    for (index, order) in order.enumerated() where first.sortKeys[index] != second.sortKeys[index] {
      return first.sortKeys[index].lexicographicallyPrecedes(second.sortKeys[index]) == order.ascending
    }
    return first.key < second.key
  }

  /// The objects of keys, in the order of the keys, without those that are gone.
  func load(_ keys: [ObjectKey]) throws -> [Element] {
    try withTransaction { store, transaction, scope in
      let binding = try store.binding(of: Element.self)
      return try keys.compactMap { try load($0, binding, transaction, scope) }
    }
  }

  private func load(
    _ key: ObjectKey,
    _ binding: ObjectBinding,
    _ transaction: LMDB.Transaction,
    _ scope: WriteTransaction?
  ) throws -> Element? {
    try key.bytes.withUnsafeBytes { key in
      let object =
        if let scope { try scope.object(of: binding, key: key) } else {
          try context.store?.load(binding, key: key, from: transaction, context: context)
        }
      return object?.cast(to: Element.self)
    }
  }
}
