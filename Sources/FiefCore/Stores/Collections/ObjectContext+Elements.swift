import LMDB

extension ObjectContext {
  /// Calls `body` with a closure that reads the object of a key, or returns `nil` if no object has the key.
  /// This counts as one lookup in the store.
  func reading(
    _ type: ObjectBase.Type,
    _ body: ((UnsafeRawBufferPointer) throws -> ObjectBase?) throws -> Void
  ) throws {
    guard let store = storeOfRecords else { return }
    let binding = try store.binding(of: type)
    if let scope = readingScope {
      let lookups = scope.tally.lookups
      defer { scope.tally.lookups = lookups &+ 1 }
      return try body { key in
        scope.tally.links &+= 1
        return try scope.object(of: binding, key: key)
      }
    }
    let newest = lasting
    var (tally, costs) = (ReadTally(lookups: 1), ReadCosts())
    defer { store.counters.add(tally, costs) }
    try store.read { transaction in
      try body { key in
        var bytes = 0
        try newest.reads?.noteLink(to: binding.table, key, in: transaction)
        let object = try store.load(binding, key: key, from: transaction, context: newest, bytes: &bytes)
        tally.links += 1
        if object != nil {
          tally.objects += 1
          costs.add(binding.table, bytes: bytes)
        }
        return object
      }
    }
  }

  /// Returns the objects for keys in the order of the keys, with `nil` for missing objects. This counts as
  /// one lookup in the store.
  func objects(of type: ObjectBase.Type, keys: [UnsafeRawBufferPointer]) throws -> [ObjectBase?] {
    guard let store = storeOfRecords, !keys.isEmpty else { return keys.map { _ in nil } }
    let binding = try store.binding(of: type)
    var objects = [ObjectBase?](repeating: nil, count: keys.count)
    let order = try unknown(&objects, of: binding, keys).sorted {
      keys[$0].lexicographicallyPrecedes(keys[$1])
    }
    if order.isEmpty { return objects }
    guard let records = binding.table.records else { return objects }
    if let scope = readingScope {
      let lookups = scope.tally.lookups
      if scope is WriteTransaction {
        // Live objects may not be stored yet.
        for index in order { objects[index] = try scope.object(of: binding, key: keys[index]) }
      } else {
        try Self.lookUp(order, keys, records, in: try scope.liveTransaction()) { index, record in
          objects[index] = try scope.instance(of: binding, key: keys[index], record: record)
        }
      }
      scope.tally.lookups = lookups &+ 1
      scope.tally.links &+= order.count
      return objects
    }
    let newest = lasting
    var (tally, costs) = (ReadTally(links: order.count, lookups: 1), ReadCosts())
    try store.read { transaction in
      if let reads = newest.reads {
        for index in order { try reads.noteLink(to: binding.table, keys[index], in: transaction) }
      }
      try Self.lookUp(order, keys, records, in: transaction) { index, record in
        objects[index] = try binding.decode(key: keys[index], record: record, context: newest)
        tally.objects += 1
        costs.add(binding.table, bytes: keys[index].count + record.count)
      }
    }
    store.counters.add(tally, costs)
    return objects
  }

  /// Calls `body` with each existing record and the index of its key.
  private static func lookUp(
    _ order: [Int],
    _ keys: [UnsafeRawBufferPointer],
    _ records: Database,
    in transaction: LMDB.Transaction,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var batch = LookUpBatch(in: transaction)
    var next = 0
    while next < order.count {
      batch.removeAll()
      while next < order.count, !batch.isFull {
        batch.append(keys[order[next]], at: order[next])
        next += 1
      }
      try batch.prepare(records)
      for item in 0..<batch.count {
        if let record = try batch.value(item, in: records) { try body(batch.place(item), record) }
      }
    }
  }
}
