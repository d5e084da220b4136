import LMDB

/// The changed objects of one type, with the kind of change and the changed columns of each.
///
/// All keys are stored in one array of bytes and found through a hash table. Sets of keys would allocate
/// memory for each object during the write. Sets are built from this type only when they are read.
package struct ChangedObjects: Sendable {
  /// What happened to an object, compared with the state before all changes.
  package enum Fate: UInt8, Sendable {
    /// The object was inserted and deleted again, or did not change.
    case untouched
    case inserted
    case modified
    case deleted
  }

  private struct Entry {
    /// The changed columns with numbers below 64, if the object was modified.
    var columns: UInt64
    let start: Int
    let hash: UInt32
    let count: UInt16
    var fate: Fate
    /// Whether `others` contains the changed columns of the object.
    var hasOthers = false
  }

  private var bytes: [UInt8] = []
  private var entries: ContiguousArray<Entry> = []
  /// The hash table. Each slot contains the index of an entry, or -1 if it is free. The number of slots is a
  /// power of two.
  private var places: ContiguousArray<Int32> = []
  /// The columns of the entries that have columns beyond 63, or ``ColumnSet/all``.
  private var others: [Int: ColumnSet] = [:]
  /// The number of objects that were inserted, modified or deleted.
  private(set) var count = 0

  init() {}

  var isEmpty: Bool { count == 0 }
  /// The approximate size in memory, in bytes.
  var size: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride + places.count * 4 }

  // MARK: Reading

  func fate(of key: UnsafeRawBufferPointer) -> Fate {
    find(key, Self.hash(key)).number.map { entries[$0].fate } ?? .untouched
  }

  /// Returns the changed columns of a modified object, or an empty set for any other object.
  func columns(of key: UnsafeRawBufferPointer) -> ColumnSet {
    find(key, Self.hash(key)).number.map(columns(at:)) ?? ColumnSet()
  }

  /// Calls `body` with each inserted, modified or deleted object, in the order in which the objects first
  /// changed, and with the changed columns of each modified object.
  package func forEach(
    _ body: (_ key: UnsafeRawBufferPointer, _ fate: Fate, _ columns: ColumnSet) throws -> Void
  )
    rethrows
  {
    try bytes.withUnsafeBytes { bytes in
      for number in entries.indices where entries[number].fate != .untouched {
        let entry = entries[number]
        let key = UnsafeRawBufferPointer(rebasing: bytes[entry.start..<(entry.start + Int(entry.count))])
        try body(key, entry.fate, columns(at: number))
      }
    }
  }

  private func columns(at number: Int) -> ColumnSet {
    let entry = entries[number]
    guard entry.fate == .modified else { return ColumnSet() }
    return entry.hasOthers ? others[number] ?? .all : ColumnSet(word: entry.columns)
  }

  // MARK: Changing

  /// Records the insertion of an object.
  mutating func insert(_ key: UnsafeRawBufferPointer) {
    let number = number(of: key)
    switch entries[number].fate {
    case .untouched: set(.inserted, at: number)
    case .inserted, .modified: break
    case .deleted:
      // The new object is a different one, even if its values are the same.
      set(.modified, at: number)
      add(.all, at: number)
    }
  }

  /// Records that columns of an existing object changed.
  mutating func modify(_ key: UnsafeRawBufferPointer, _ columns: ColumnSet) {
    if columns.isEmpty { return }
    let number = number(of: key)
    switch entries[number].fate {
    case .untouched:
      set(.modified, at: number)
      add(columns, at: number)
    case .modified: add(columns, at: number)
    case .inserted, .deleted: break
    }
  }

  /// Records the deletion of an object.
  mutating func delete(_ key: UnsafeRawBufferPointer) {
    let number = number(of: key)
    switch entries[number].fate {
    case .inserted: set(.untouched, at: number)
    case .untouched, .modified: set(.deleted, at: number)
    case .deleted: break
    }
  }

  /// Adds later changes.
  mutating func append(_ later: ChangedObjects) {
    if entries.isEmpty {
      self = later
      return
    }
    later.forEach { key, fate, columns in
      switch fate {
      case .untouched: break
      case .inserted: insert(key)
      case .modified: modify(key, columns)
      case .deleted: delete(key)
      }
    }
  }

  private mutating func set(_ fate: Fate, at number: Int) {
    count += (fate == .untouched ? 0 : 1) - (entries[number].fate == .untouched ? 0 : 1)
    entries[number].fate = fate
    entries[number].columns = 0
    if entries[number].hasOthers {
      entries[number].hasOthers = false
      others[number] = nil
    }
  }

  private mutating func add(_ columns: ColumnSet, at number: Int) {
    if let word = columns.onlyWord, !entries[number].hasOthers {
      entries[number].columns |= word
      return
    }
    var all = self.columns(at: number)
    all.formUnion(columns)
    entries[number].hasOthers = true
    others[number] = all
  }

  // MARK: Finding

  private static func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: StableHash.hash(key))
  }

  /// Returns the index of a key's entry and the entry's slot. For a key without an entry, returns nil and the
  /// free slot for it. An empty table has no slots; the result is then slot 0.
  private func find(_ key: UnsafeRawBufferPointer, _ hash: UInt32) -> (number: Int?, place: Int) {
    if places.isEmpty { return (nil, 0) }
    let mask = places.count - 1
    var place = Int(hash) & mask
    while places[place] >= 0 {
      let number = Int(places[place])
      if entries[number].hash == hash, isKey(key, of: number) { return (number, place) }
      place = (place + 1) & mask
    }
    return (nil, place)
  }

  private func isKey(_ key: UnsafeRawBufferPointer, of number: Int) -> Bool {
    let (start, count) = (entries[number].start, Int(entries[number].count))
    guard count == key.count else { return false }
    return bytes.withUnsafeBytes {
      UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]).hasSameBytes(as: key)
    }
  }

  /// Returns the index of a key's entry, and adds the entry if it does not exist.
  private mutating func number(of key: UnsafeRawBufferPointer) -> Int {
    if entries.count * 2 >= places.count { grow() }
    let hash = Self.hash(key)
    let (known, place) = find(key, hash)
    if let known { return known }
    places[place] = Int32(truncatingIfNeeded: entries.count)
    entries.append(
      Entry(
        columns: 0,
        start: bytes.count,
        hash: hash,
        count: UInt16(truncatingIfNeeded: key.count),
        fate: .untouched
      )
    )
    bytes.append(contentsOf: key)
    return entries.count - 1
  }

  private mutating func grow() {
    places = ContiguousArray(repeating: -1, count: max(16, places.count * 2))
    let mask = places.count - 1
    for number in entries.indices {
      var place = Int(entries[number].hash) & mask
      while places[place] >= 0 { place = (place + 1) & mask }
      places[place] = Int32(truncatingIfNeeded: number)
    }
  }
}

extension ChangedObjects: Equatable {
  /// Whether both values contain the same objects with the same changes, in any order.
  package static func == (first: ChangedObjects, second: ChangedObjects) -> Bool {
    guard first.count == second.count else { return false }
    var isSame = true
    first.forEach { key, fate, columns in
      isSame = isSame && second.fate(of: key) == fate && second.columns(of: key) == columns
    }
    return isSame
  }
}
