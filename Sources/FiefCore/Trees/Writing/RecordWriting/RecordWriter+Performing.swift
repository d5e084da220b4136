import LMDB

extension RecordWriter {
  /// Performs a save or a deletion, table by table and in the order of the keys.
  ///
  /// - Parameter checkingFirst: Whether to check for existing and missing keys before the first change.
  package func perform(_ changes: PreparedChanges, checkingFirst: Bool = false) throws {
    newLinks = NewLinks()
    defer { newLinks = nil }
    for claim in changes.claims { try claim.reserve(self) }
    try changes.bytes.withUnsafeBytes { bytes in
      if let expected = changes.expected { try check(expected, of: changes, bytes) }
      try checkGivenLinks(of: changes, bytes)
      let groups = changes.inOrderOfKeys(bytes)
      // A delete rule may delete an object whose key also occurs among the operations.
      let isDeletion = changes.hasDeleteRules
      if checkingFirst || isDeletion { for group in groups { try checkKeys(group, of: changes, bytes) } }
      var deletion: Deletion?
      try changes.operations.withUnsafeBufferPointer { operations in
        for group in groups {
          try group.forEach { index in
            let operation = operations[index]
            do {
              if operation.kind == .delete {
                let run = try deletion ?? Deletion(self)
                deletion = run
                let isDeleted = try run.delete(operation.key(in: bytes), from: group.table)
                guard isDeleted || isDeletion else { throw Self.notFound }
              } else {
                try perform(operation, group.table, of: changes, bytes)
              }
            } catch {
              throw described(error, operation, at: index, of: changes, bytes)
            }
          }
        }
      }
      try deletion?.finish()
    }
    try dropLinksToNothing()
    for claim in changes.claims { claim.hold(in: self) }
  }

  /// Checks that the objects to which the application has linked are in the store or are written by the same
  /// changes.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound`.
  private func checkGivenLinks(of changes: PreparedChanges, _ bytes: UnsafeRawBufferPointer) throws {
    for link in changes.givenLinks {
      let exists = try link.key.withUnsafeBytes {
        try transaction.get(try records(of: link.target), $0) != nil
      }
      if exists || changes.writes(link, bytes) { continue }
      var error = FiefError.linkToDeleted(
        link.target,
        key: link.key,
        from: link.owner,
        property: link.property
      )
      (error.store, error.key) = (tables.storeName, link.ownerKey)
      guard let index = link.operation, changes.operations.indices.contains(index) else { throw error }
      throw described(error, changes.operations[index], at: index, of: changes, bytes)
    }
  }

  static var notFound: FiefError {
    FiefError(.objectNotFound, "The object cannot be deleted because no object has the key.")
  }

  static var deleted: FiefError {
    FiefError(
      .objectNotFound,
      "The object cannot be modified because it was deleted after it was read.",
      details: ["StoreOptions.reinsertsDeletedObjects saves deleted objects again"]
    )
  }

  static var duplicate: FiefError {
    FiefError(.duplicatePrimaryKey, "An object with the primary key already exists.")
  }

  private func described(
    _ error: any Error,
    _ operation: PreparedChanges.Operation,
    at index: Int,
    of changes: PreparedChanges,
    _ bytes: UnsafeRawBufferPointer
  ) -> any Error {
    FiefError.described(
      error,
      store: tables.storeName,
      type: changes.tables[Int(operation.table)].name,
      key: operation.keyCount == 0
        ? nil : changes.tables[Int(operation.table)].shown([UInt8](operation.key(in: bytes))),
      path: changes.paths.indices.contains(index) ? changes.paths[index] : nil
    )
  }

  private func perform(
    _ operation: PreparedChanges.Operation,
    _ table: Table,
    of changes: PreparedChanges,
    _ bytes: UnsafeRawBufferPointer
  ) throws {
    let key = operation.key(in: bytes)
    let record = operation.record(in: bytes)
    collectsNewLinks = operation.linksStoredObjects
    switch operation.kind {
    case .insert:
      try insert(key: key, record: record, into: table, hasChecksum: true)
    case .ensure:
      _ = try insertIfAbsent(key: key, record: record, into: table, hasChecksum: true)
    case .put:
      try put(key: key, record: record, into: table, hasChecksum: true)
    case .patch, .patchExisting:
      if operation.kind == .patchExisting, try cursor(of: table).get(key) == nil { throw Self.deleted }
      try patch(key: key, record: record, columns: changes.patches[Int(operation.patch)], in: table)
    case .delete:
      guard try delete(key: key, from: table) else { throw Self.notFound }
    case .deleteAll:
      try deleteAll(from: table)
    }
  }

  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey` if the group inserts an existing key or inserts a
  ///   key twice; `objectNotFound` if it deletes a missing key, deletes a key twice, or modifies an object
  ///   that was deleted.
  private func checkKeys(
    _ group: PreparedChanges.Group,
    of changes: PreparedChanges,
    _ bytes: UnsafeRawBufferPointer
  ) throws {
    var last: UnsafeRawBufferPointer?
    try group.forEach { index in
      let operation = changes.operations[index]
      guard operation.kind == .insert || operation.kind == .delete || operation.kind == .patchExisting else {
        return
      }
      let key = operation.key(in: bytes)
      let exists = try cursor(of: group.table).get(key) != nil
      if operation.kind == .patchExisting {
        // Another object of the save may add the object.
        if exists || last.map({ $0.elementsEqual(key) }) == true { return }
        throw described(Self.deleted, operation, at: index, of: changes, bytes)
      }
      let isRepeated = last.map { $0.elementsEqual(key) } ?? false
      guard !isRepeated, exists == (operation.kind == .delete) else {
        let error = operation.kind == .delete ? Self.notFound : Self.duplicate
        throw described(error, operation, at: index, of: changes, bytes)
      }
      last = key
    }
  }
}

extension PreparedChanges.Operation {
  @inline(__always)
  func key(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[keyStart..<(keyStart + keyCount)])
  }

  @inline(__always)
  func record(in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[recordStart..<(recordStart + recordCount)])
  }
}

extension PreparedChanges {
  /// Whether an operation writes the target of a link.
  fileprivate func writes(_ link: RequiredLink, _ bytes: UnsafeRawBufferPointer) -> Bool {
    operations.contains { operation in
      !operation.kind.deletes && tables[Int(operation.table)] === link.target
        && operation.key(in: bytes).elementsEqual(link.key)
    }
  }

  /// The operations on one table, in the order of the keys.
  struct Group {
    let table: Table
    /// The indexes of the operations, or `nil` for all operations in their own order.
    let order: [Int32]?
    let count: Int

    @inline(__always)
    func forEach(_ body: (Int) throws -> Void) rethrows {
      if let order {
        for index in order { try body(Int(index)) }
      } else {
        for index in 0..<count { try body(index) }
      }
    }
  }

  /// Returns a group for each table. Operations with the same key keep their order.
  func inOrderOfKeys(_ bytes: UnsafeRawBufferPointer) -> [Group] {
    tables.indices.map { table in
      let (count, isInOrder) = order(ofTable: table)
      if isInOrder, count == operations.count { return Group(table: tables[table], order: nil, count: count) }
      var order: [Int32] = []
      order.reserveCapacity(count)
      for (index, operation) in operations.enumerated() where Int(operation.table) == table {
        order.append(Int32(truncatingIfNeeded: index))
      }
      if !isInOrder { sort(&order, bytes) }
      return Group(table: tables[table], order: order, count: count)
    }
  }

  private func sort(_ order: inout [Int32], _ bytes: UnsafeRawBufferPointer) {
    operations.withUnsafeBufferPointer { operations in
      var keyed = order.map { index in
        let operation = operations[Int(index)]
        return (prefix: bytes.prefix(at: operation.keyStart, count: operation.keyCount), index: index)
      }
      keyed.sort { first, second in
        if first.prefix != second.prefix { return first.prefix < second.prefix }
        let order = Self.compare(operations[Int(first.index)], operations[Int(second.index)], bytes)
        return order == 0 ? first.index < second.index : order < 0
      }
      order = keyed.map(\.index)
    }
  }

  @inline(__always)
  private static func compare(_ first: Operation, _ second: Operation, _ bytes: UnsafeRawBufferPointer) -> Int
  {
    bytes.compare(
      first.keyStart..<(first.keyStart + first.keyCount),
      second.keyStart..<(second.keyStart + second.keyCount)
    )
  }
}
