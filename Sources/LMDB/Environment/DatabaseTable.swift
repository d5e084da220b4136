import Synchronization

/// Translates ``Database`` values to LMDB's handles, which change when the environment reopens.
final class DatabaseTable: @unchecked Sendable {
  // SAFETY: `entries` is allocated for the table's life. An entry is written by the holder of the
  // writer lock, before its `Database` is handed out or while no reader is active; readers only reach
  // entries through a `Database`, so they never see one being written. The rest is under the mutex.

  struct Entry {
    var handle: UInt32
    var generation: UInt32
  }

  private struct Names {
    var slots: [String: UInt32] = [:]
    var free: [UInt32] = []
    var used: UInt32 = 0
  }

  let entries: UnsafeMutablePointer<Entry>
  /// How many handles LMDB has room for.
  let limit: Int
  private let capacity: Int
  let environment: UInt32
  private let names = Mutex(Names())

  init(limit: Int, environment: UInt32) {
    self.limit = limit
    capacity = limit * 2 + 16
    self.environment = environment
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(handle: 0, generation: 0), count: capacity)
  }

  deinit { entries.deallocate() }

  func database(named name: String) -> Database? {
    names.withLock { names in names.slots[name] }.map(database(slot:))
  }

  /// Takes a slot for a handle that is not known by its name yet.
  func reserve(handle: UInt32) throws(LMDBError) -> Database {
    let slot = names.withLock { names -> UInt32? in
      if let slot = names.free.popLast() { return slot }
      guard names.used < capacity else { return nil }
      names.used += 1
      return names.used - 1
    }
    guard let slot else { throw LMDBError(.databasesFull) }
    entries[Int(slot)].handle = handle
    entries[Int(slot)].generation &+= 1
    return database(slot: slot)
  }

  /// Makes a reserved slot known by its name.
  func publish(_ database: Database, named name: String) {
    names.withLock { names in names.slots[name] = database.slot }
  }

  /// Ends the validity of a slot, published or not.
  func remove(_ database: Database) {
    entries[Int(database.slot)].generation &+= 1
    names.withLock { names in
      if let name = names.slots.first(where: { $0.value == database.slot })?.key {
        names.slots[name] = nil
      }
      names.free.append(database.slot)
    }
  }

  func name(of database: Database) -> String? {
    names.withLock { names in names.slots.first { $0.value == database.slot }?.key }
  }

  var published: [(name: String, database: Database)] {
    names.withLock { names in names.slots.map { ($0.key, $0.value) } }
      .map { ($0.0, database(slot: $0.1)) }
  }

  private func database(slot: UInt32) -> Database {
    Database(slot: slot, generation: entries[Int(slot)].generation, environment: environment)
  }
}
