import LMDB

extension StoreCore {
  /// Calls `body` in a read transaction of the newest state.
  func read<Result>(_ body: (ReadTransaction) throws -> Result) throws -> Result {
    do {
      return try environment.read(body)
    } catch {
      throw described(error)
    }
  }

  /// The object with a key, nil where there is none.
  func load(
    _ binding: ObjectBinding,
    key: UnsafeRawBufferPointer,
    from transaction: LMDB.Transaction,
    context: ObjectContext
  ) throws -> ObjectBase? {
    guard let records = binding.table.records else { return nil }
    guard let record = try transaction.get(records, key) else { return nil }
    return try binding.decode(key: key, record: record, context: context)
  }

  func contains(_ table: Table, key: UnsafeRawBufferPointer, in transaction: LMDB.Transaction) throws -> Bool
  {
    guard let records = table.records else { return false }
    return try transaction.get(records, key) != nil
  }

  func count(_ table: Table, in transaction: LMDB.Transaction) throws -> Int {
    guard let records = table.records else { return 0 }
    return try transaction.count(records)
  }

  func described(_ error: any Error, type: String? = nil, key: [UInt8]? = nil) -> any Error {
    FiefError.described(error, store: name, type: type, key: key)
  }
}
