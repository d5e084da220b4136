import LMDB

extension RecordWriter {
  /// Performs a save or a deletion, table by table and in the order of the keys.
  ///
  /// - Parameter checkingFirst: whether keys that exist are found before the first change.
  func perform(_ changes: PreparedChanges, checkingFirst: Bool = false) throws {
    newLinks = []
    defer { newLinks = nil }
    try changes.bytes.withUnsafeBytes { bytes in
      let groups = changes.inOrderOfKeys(bytes)
      if checkingFirst { for group in groups { try checkKeys(group, of: changes, bytes) } }
      for group in groups {
        for index in group {
          try described(changes, index, bytes) { try perform($0, of: changes, bytes) }
        }
      }
    }
    try dropLinksToNothing()
  }

  private func described(
    _ changes: PreparedChanges,
    _ index: Int32,
    _ bytes: UnsafeRawBufferPointer,
    _ body: (PreparedChanges.Operation) throws -> Void
  ) throws {
    let operation = changes.operations[Int(index)]
    do { try body(operation) } catch {
      throw FiefError.described(
        error,
        store: tables.storeName,
        type: changes.tables[Int(operation.table)].name,
        key: operation.keyCount == 0 ? nil : [UInt8](operation.key(in: bytes)),
        path: changes.paths.indices.contains(Int(index)) ? changes.paths[Int(index)] : nil
      )
    }
  }

  private func perform(
    _ operation: PreparedChanges.Operation,
    of changes: PreparedChanges,
    _ bytes: UnsafeRawBufferPointer
  ) throws {
    let table = changes.tables[Int(operation.table)]
    let key = operation.key(in: bytes)
    let record = operation.record(in: bytes)
    collectsNewLinks = operation.linksStoredObjects
    switch operation.kind {
    case .insert:
      try insert(key: key, record: record, into: table)
    case .ensure:
      _ = try insertIfAbsent(key: key, record: record, into: table)
    case .put:
      try put(key: key, record: record, into: table)
    case .patch:
      try patch(key: key, record: record, columns: changes.patches[Int(operation.patch)], in: table)
    case .delete:
      guard try delete(key: key, from: table) else {
        throw FiefError(.objectNotFound, "There is no object with the key, so that it cannot be deleted.")
      }
    case .deleteAll:
      try deleteAll(from: table)
    }
  }

  /// - Throws: ``FiefError`` of code `duplicatePrimaryKey` where the group inserts a key that exists, or one
  ///   key twice.
  private func checkKeys(_ group: [Int32], of changes: PreparedChanges, _ bytes: UnsafeRawBufferPointer)
    throws
  {
    var last: UnsafeRawBufferPointer?
    for index in group {
      try described(changes, index, bytes) { operation in
        guard operation.kind == .insert else { return }
        let key = operation.key(in: bytes)
        let exists = try cursor(of: changes.tables[Int(operation.table)]).get(key) != nil
        guard !exists, last.map({ !$0.elementsEqual(key) }) ?? true else {
          throw FiefError(.duplicatePrimaryKey, "An object with the primary key exists.")
        }
        last = key
      }
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
  /// The indexes of the operations: a group for each table, in the order of the keys. Operations with the
  /// same key stay in their order.
  func inOrderOfKeys(_ bytes: UnsafeRawBufferPointer) -> [[Int32]] {
    var groups = [[Int32]](repeating: [], count: tables.count)
    if tables.count == 1 { groups[0].reserveCapacity(operations.count) }
    for (index, operation) in operations.enumerated() {
      groups[Int(operation.table)].append(Int32(truncatingIfNeeded: index))
    }
    for index in groups.indices { sort(&groups[index], bytes) }
    return groups
  }

  private func sort(_ group: inout [Int32], _ bytes: UnsafeRawBufferPointer) {
    guard group.count > 1 else { return }
    var isSorted = true
    for (first, second) in zip(group, group.dropFirst()) where isSorted {
      isSorted = bytes.compare(range(first), range(second)) <= 0
    }
    if isSorted { return }
    var keyed = group.map { index in
      let operation = operations[Int(index)]
      return (prefix: bytes.prefix(at: operation.keyStart, count: operation.keyCount), index: index)
    }
    keyed.sort { first, second in
      if first.prefix != second.prefix { return first.prefix < second.prefix }
      let order = bytes.compare(range(first.index), range(second.index))
      return order == 0 ? first.index < second.index : order < 0
    }
    group = keyed.map(\.index)
  }

  @inline(__always)
  private func range(_ index: Int32) -> Range<Int> {
    let operation = operations[Int(index)]
    return operation.keyStart..<(operation.keyStart + operation.keyCount)
  }
}
