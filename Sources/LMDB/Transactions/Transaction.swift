import CLMDB
import Synchronization

/// A view of the store: the common base class of `ReadTransaction` and `WritableTransaction`.
///
/// Only one thread at a time may use it. After its end, every call throws
/// ``LMDBError/Code/transactionEnded``.
@usableFromInline package class Transaction {
  final let environment: Environment
  /// LMDB's transaction, or `nil` after its end and, in a parent, while a child is active.
  @usableFromInline @exclusivity(unchecked) final var handle: OpaquePointer?
  /// One more than the number of the commit that this reader sees, to identify the trees that it knows. 0 in
  /// a write, because not all of its pages are in the map.
  @exclusivity(unchecked) final var snapshot: UInt64 = 0
  // SAFETY: allocated by `makeRoom` with `treeCount` elements for the first slots of the table; freed by
  // `forgetTrees` and `deinit`.
  /// The trees that were read directly, in this snapshot or in earlier ones.
  @exclusivity(unchecked) final var trees: UnsafeMutablePointer<MappedTree>?
  @exclusivity(unchecked) final var treeCount = 0
  // SAFETY: allocated by a `LookUpBatch`, which takes the memory out while it uses it; freed by `deinit`.
  @exclusivity(unchecked) final var spareItems: UnsafeMutablePointer<LookUpBatch.Item>?
  /// The opened pages that the transaction uses while it is active, or `nil` if it has read no sealed tree.
  @exclusivity(unchecked) final var openedPages: DecryptedPages?
  /// The values that were opened individually, if pages are not read directly.
  @exclusivity(unchecked) final var openedValues: DecryptedValues?
  /// The number of the map that contains the trees.
  final var mapEpoch: UInt64
  /// One more than the number of the page that was found to be damaged or outside the map; 0 if there was
  /// none.
  @usableFromInline @exclusivity(unchecked) final var damagedPage: UInt64 = 0
  // SAFETY: the table belongs to `environment`, which this object keeps alive.
  final let table: UnsafeMutablePointer<DatabaseTable.Entry>
  final let number: UInt32

  init(environment: Environment, handle: OpaquePointer) {
    self.environment = environment
    self.handle = handle
    table = environment.databases.entries
    number = environment.databases.environment
    mapEpoch = environment.mapEpoch
  }

  deinit {
    trees?.deallocate()
    spareItems?.deallocate()
  }

  /// The number of the commit that this transaction sees, or in a write the number of its own commit; 0 after
  /// the end.
  @usableFromInline package final var id: UInt64 {
    guard let handle else { return 0 }
    return UInt64(mdb_txn_id(handle))
  }

  /// Returns the value of a key in LMDB's page. The bytes are valid until the next change or the end of the
  /// transaction.
  ///
  /// - Throws: `keyLengthInvalid` for a key of 0 or more than 511 bytes.
  @usableFromInline package final func get(
    _ database: Database,
    _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let handle else { throw endedError() }
    let dbi = try handleOf(database)
    if let tree = try mappedTree(database), key.count <= 511, let wanted = SearchKey(key) {
      switch MappedTree.find(wanted, in: tree) {
      case .value(let value): return value
      case .nothing: return nil
      case .damage(let page): return try getAfterCheck(tree, wanted, page)
      }
    }
    try willUse(database, key)
    var found = try Transaction.value(key: key)
    var value = MDB_val()
    let code = mdb_get(handle, dbi, &found, &value)
    if code == MDB_SUCCESS {
      return try inClear(
        UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size),
        of: key,
        database
      )
    }
    if code == MDB_NOTFOUND { return nil }
    throw failure(code)
  }

  /// Checks the pages on the path to a key that no read has reached yet, and looks up the key again.
  @inline(never)
  private final func getAfterCheck(
    _ tree: UnsafeMutablePointer<MappedTree>,
    _ wanted: SearchKey,
    _ damaged: UInt64
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard tree.pointee.checkedLimit > 0 else { throw damage(page: damaged) }
    if let page = tree.pointee.checkPath(to: wanted) { throw damage(page: page) }
    var sound = tree.pointee
    sound.checkedLimit = 0
    switch withUnsafeMutablePointer(to: &sound, { MappedTree.find(wanted, in: $0) }) {
    case .value(let value): return value
    case .nothing: return nil
    case .damage(let page): throw damage(page: page)
    }
  }

  /// Checks the pages that LMDB will visit with a key; see ``WriteCheck``.
  func willUse(_ database: Database, _ key: UnsafeRawBufferPointer) throws(LMDBError) {}

  /// Returns the number of entries.
  ///
  /// - Throws: `damaged`, also if the first count in a small store finds damage anywhere in the store.
  @usableFromInline package final func count(_ database: Database) throws(LMDBError) -> Int {
    guard handle != nil else { throw endedError() }
    try environment.checkSizes()
    return try statedCount(database)
  }

  /// Returns the sizes of a database's tree.
  ///
  /// - Throws: The errors of ``count(_:)``.
  package final func statistics(_ database: Database) throws(LMDBError) -> DatabaseStatistics {
    guard handle != nil else { throw endedError() }
    try environment.checkSizes()
    return try statedStatistics(database)
  }

  /// Returns the number of entries that the record of a database's tree states. Use it only for estimates,
  /// because damage of the tree may have made it wrong.
  package final func statedCount(_ database: Database) throws(LMDBError) -> Int {
    // A reader keeps the record of each tree that it has used in its snapshot. A write has none, because its
    // changes are not in the map. A sealed tree would need room for opened pages, which a count does not use.
    _ = try handleOf(database)
    if handle != nil, !environment.isSealed.load(ordering: .relaxed), let tree = try mappedTree(database) {
      return tree.pointee.entries
    }
    return try statedStatistics(database).entries
  }

  private final func statedStatistics(_ database: Database) throws(LMDBError) -> DatabaseStatistics {
    guard let handle else { throw endedError() }
    let dbi = try handleOf(database)
    var result = MDB_stat()
    let code = mdb_stat(handle, dbi, &result)
    guard code == MDB_SUCCESS else { throw failure(code) }
    return DatabaseStatistics(
      entries: Int(result.ms_entries),
      depth: Int(result.ms_depth),
      branchPages: Int(result.ms_branch_pages),
      leafPages: Int(result.ms_leaf_pages),
      overflowPages: Int(result.ms_overflow_pages),
      pageSize: Int(result.ms_psize)
    )
  }

  /// Opens a cursor that is not on an entry yet. The cursor ends with the transaction.
  @usableFromInline package final func cursor(_ database: Database) throws(LMDBError) -> Cursor {
    guard let handle else { throw endedError() }
    let dbi = try handleOf(database)
    if let tree = try mappedTree(database) { return Cursor(transaction: self, tree: tree.pointee) }
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(handle, dbi, &cursor)
    guard code == MDB_SUCCESS, let cursor else { throw failure(code) }
    return Cursor(transaction: self, handle: cursor, database: database)
  }

  /// Verifies the structure of all pages of the newest commit; see ``Environment/verify()``.
  ///
  /// - Returns: `nil` in a write, because not all of its pages are in the file.
  package final func verifyPages() throws(LMDBError) -> VerificationReport? {
    guard handle != nil else { throw endedError() }
    return snapshot == 0 ? nil : try environment.verifyInRead()
  }

  /// Returns the names of the databases that this transaction sees, in the order of their bytes.
  @usableFromInline package final func databaseNames() throws(LMDBError) -> [String] {
    guard let handle else { throw endedError() }
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(handle, Transaction.unnamed, &cursor)
    guard code == MDB_SUCCESS, let cursor else { throw failure(code) }
    defer { mdb_cursor_close(cursor) }
    var names: [String] = []
    var key = MDB_val()
    var value = MDB_val()
    var next = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
    while next == MDB_SUCCESS {
      let bytes = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
      // A name with a NUL byte is a record of this library, not a database.
      if !bytes.contains(0) { names.append(String(decoding: bytes, as: UTF8.self)) }
      next = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
    }
    guard next == MDB_NOTFOUND else { throw failure(next) }
    return names
  }

  /// Opens an existing database, or returns `nil` if this transaction does not see a database with the name.
  ///
  /// - Throws: In a read, `incompatible` if another process created the database and a commit was made in
  ///   between. Begin a new read in this case.
  @usableFromInline package final func database(named name: String) throws(LMDBError) -> Database? {
    if let writer = self as? WritableTransaction { return try writer.existingDatabase(named: name) }
    if let reader = self as? ReadTransaction { return try reader.existingDatabase(named: name) }
    return nil
  }

  // MARK: Checks

  static let unnamed: MDB_dbi = 1
  static let freeList: MDB_dbi = 0

  @inline(__always)
  final func handleOf(_ database: Database) throws(LMDBError) -> MDB_dbi {
    if database.environment == number {
      let entry = table[Int(database.slot)].value
      if entry.generation == database.generation { return entry.handle }
    }
    throw Transaction.handleError(database.environment == number)
  }

  @inline(never)
  private static func handleError(_ isOurs: Bool) -> LMDBError {
    isOurs
      ? LMDBError(.notFound, "The database was dropped.")
      : LMDBError(.incompatible, "The database belongs to another environment.")
  }

  @inline(__always)
  static func value(key: UnsafeRawBufferPointer) throws(LMDBError) -> MDB_val {
    guard key.count > 0, key.count <= 511 else {
      throw LMDBError(.keyLengthInvalid, detail: "\(key.count) bytes")
    }
    // SAFETY: LMDB only reads through the pointer, during the call.
    return MDB_val(mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
  }

  @inline(never)
  func endedError() -> LMDBError { LMDBError(.transactionEnded) }

  /// Returns the error for a code that a call inside this transaction returned.
  @inline(never)
  func failure(_ code: Int32) -> LMDBError {
    if code == 22 /* EINVAL */ || code == MDB_BAD_DBI {
      return LMDBError(.notFound, "The database is not part of this snapshot.", returnCode: code)
    }
    return LMDBError(returnCode: code, path: environment.directory)
  }
}
