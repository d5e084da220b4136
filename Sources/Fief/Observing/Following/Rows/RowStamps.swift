import LMDB

/// Makes the stamps of rows: numbers that are others where something about the object is.
///
/// It is the checksum that a record begins with, and, of an object with large collections, that of their entries: to
/// read these takes long, so that the stamps of such objects are kept as long as nobody writes them.
struct RowStamps {
  private let table: Table
  private let watched: WatchedValues?
  /// The stamps of objects with large collections.
  private var large: [ObjectKey: UInt32] = [:]

  init(of table: Table, watched: WatchedValues?) {
    self.table = table
    self.watched = watched
  }

  /// Forgets what may have changed: all of it, or objects.
  mutating func forget(_ changes: ChangeSet.TypeChanges?) {
    guard !large.isEmpty else { return }
    guard let changes else { return large = [:] }
    changes.objects.forEach { key, _, _ in large[ObjectKey(key)] = nil }
  }

  mutating func stamp(of row: QueryRow, in environment: QueryEnvironment) throws -> UInt32 {
    if let watched { return try watched.stamp(of: row, in: environment) }
    let checksum = UInt32(littleEndian: row.view.bytes.loadUnaligned(as: UInt32.self))
    if table.collectionIDs.isEmpty { return checksum }
    return try stampOfLarge(row, checksum, environment)
  }

  private mutating func stampOfLarge(_ row: QueryRow, _ checksum: UInt32, _ environment: QueryEnvironment)
    throws -> UInt32
  {
    var hash = UInt64(checksum)
    var key: ObjectKey?
    for collection in table.collections {
      guard let place = row.view.layout.place(ofColumn: collection.column.id), !row.view.isNil(place) else {
        continue
      }
      let payload = try row.view.varying(place)
      guard let marker = try CollectionMarker(payload) else { continue }
      if key == nil {
        let known = ObjectKey(row.key)
        if let stamp = large[known] { return stamp }
        key = known
      }
      hash = try marker.hash(hash, environment)
    }
    guard let key else { return checksum }
    let stamp = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    large[key] = stamp
    return stamp
  }
}

extension CollectionMarker {
  /// What the checksums of the collection's entries come to.
  func hash(_ seed: UInt64, _ environment: QueryEnvironment) throws -> UInt64 {
    guard let tree = try environment.tables.collectionTree(in: environment.transaction) else { return seed }
    let cursor = try environment.transaction.cursor(tree)
    var hash = seed
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      // It begins with a checksum, unless it is a count, which the elements agree with.
      hash = StableHash.hash(UnsafeRawBufferPointer(rebasing: cursor.value.prefix(4)), seed: hash)
      found = try cursor.next()
    }
    return hash
  }
}
