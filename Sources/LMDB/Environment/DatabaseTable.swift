import Synchronization

/// Translates ``Database`` values to LMDB's handles, which change when the environment reopens.
final class DatabaseTable: @unchecked Sendable {
  // SAFETY: `entries` is allocated for the table's life. An entry is one atomic word that only the holder of
  // the writer lock writes. Code that still has a dropped `Database` may read its entry at any time, and
  // finds another generation. The rest is protected by the mutex.

  /// A handle and its generation, which are read and written together.
  struct Entry: ~Copyable {
    private let word = Atomic<UInt64>(0)

    @inline(__always)
    var value: (handle: UInt32, generation: UInt32) {
      let word = word.load(ordering: .relaxed)
      return (UInt32(truncatingIfNeeded: word), UInt32(truncatingIfNeeded: word >> 32))
    }

    func set(handle: UInt32, generation: UInt32) {
      word.store(UInt64(generation) << 32 | UInt64(handle), ordering: .relaxed)
    }
  }

  private struct Names {
    // Integers, because the runtime needs arrays of integers in any case.
    var slots = SortedTable<String, Int>()
    var free: [UInt32] = []
    var used: UInt32 = 0

    func name(of slot: UInt32) -> String? {
      slots.all.firstIndex(of: Int(slot)).map { slots.allKeys[$0] }
    }
  }

  let entries: UnsafeMutablePointer<Entry>
  /// The number of handles for which LMDB has space.
  let limit: Int
  private let capacity: Int
  let environment: UInt32
  private let names = OwnedLock(Names())

  init(limit: Int, environment: UInt32) {
    self.limit = limit
    capacity = limit * 2 + 16
    self.environment = environment
    entries = .allocate(capacity: capacity)
    for index in 0..<capacity { (entries + index).initialize(to: Entry()) }
  }

  deinit {
    entries.deinitialize(count: capacity)
    entries.deallocate()
  }

  func database(named name: String) -> Database? {
    names.withLock { names in names.slots[name] }.map { database(slot: UInt32($0)) }
  }

  /// Reserves a slot for a handle whose name is not published yet.
  func reserve(handle: UInt32) throws(LMDBError) -> Database {
    let slot = names.withLock { names -> UInt32? in
      if let slot = names.free.popLast() { return slot }
      guard names.used < capacity else { return nil }
      names.used += 1
      return names.used - 1
    }
    guard let slot else { throw LMDBError(.databasesFull) }
    entries[Int(slot)].set(handle: handle, generation: entries[Int(slot)].value.generation &+ 1)
    return database(slot: slot)
  }

  /// Publishes the name of a reserved slot.
  func publish(_ database: Database, named name: String) {
    names.withLock { names in names.slots[name] = Int(database.slot) }
  }

  /// Invalidates a slot, whether it was published or not.
  func remove(_ database: Database) {
    let (handle, generation) = entries[Int(database.slot)].value
    entries[Int(database.slot)].set(handle: handle, generation: generation &+ 1)
    names.withLock { names in
      if let name = names.name(of: database.slot) { names.slots[name] = nil }
      names.free.append(database.slot)
    }
  }

  func name(of database: Database) -> String? {
    names.withLock { names in names.name(of: database.slot) }
  }

  var published: [(name: String, database: Database)] {
    names.withLock { names in
      zip(names.slots.allKeys, names.slots.all).map { ($0, database(slot: UInt32($1))) }
    }
  }

  private func database(slot: UInt32) -> Database {
    Database(slot: slot, generation: entries[Int(slot)].value.generation, environment: environment)
  }
}
