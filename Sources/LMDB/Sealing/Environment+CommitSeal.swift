import CLMDB

extension Environment {
  /// The sealing of the values and the rows whose values the commits record, or `nil` if commits are not
  /// authenticated.
  fileprivate var authenticator: (sealing: any ValueSealing, rows: RowSelection)? {
    guard let sealing, let rows = sealing.statedRows else { return nil }
    return (sealing, rows)
  }

  /// Verifies the state with which a write begins, unless this environment has written it.
  ///
  /// - Throws: `changedWithoutKey` if the state was changed without the key.
  func checkSeal(_ transaction: WritableTransaction) throws(LMDBError) {
    guard let (sealing, rows) = authenticator else { return }
    let commit = transaction.id &- 1
    if commitSeal?.commit != commit {
      var (seal, flaws) = try transaction.readSeal(sealing, rows)
      guard flaws.isEmpty else { throw changedWithoutKey(flaws) }
      if let known = commitSeal?.counter, seal.counter < known {
        throw changedWithoutKey([SealFlaw("the store's state is older than it was before")])
      }
      seal.commit = commit
      commitSeal = seal
    }
    transaction.session.seal = commitSeal
    transaction.session.notesTrees = true
  }

  /// Writes the record of a commit, immediately before the commit.
  ///
  /// - Returns: LMDB's code.
  /// - Throws: `changedWithoutKey` if the store no longer has the record that was verified or written last, or
  ///   if the number of entries of a changed tree before the write differs from this record.
  func writeSeal(_ handle: OpaquePointer, _ session: WriteSession) throws(LMDBError) -> Int32 {
    guard let (sealing, rows) = authenticator, var seal = session.seal else {
      throw LMDBError(.incompatible, path: directory)
    }
    let transaction = WritableTransaction(environment: self, handle: handle, session: session)
    defer { transaction.handle = nil }
    guard try transaction.hasRecord(of: seal) else {
      throw changedWithoutKey([SealFlaw("the store's state is not the state after the last commit")])
    }
    var names: [String]?
    if !session.opened.isEmpty || !session.dropped.isEmpty {
      // A dropped tree disappears only with the commit.
      names = try transaction.databaseNames().filter { name in !session.dropped.contains { $0.name == name } }
      seal.update(trees: names, rows: seal.rows, sealing)
    }
    var hasOtherRows = names != nil || seal.trees.isEmpty
    for database in session.changedTrees {
      guard let dbi = try? transaction.handleOf(database),
        let place = seal.place(of: database, named: { transaction.name(of: database) })
      else { continue }
      let name = seal.trees[place]
      // LMDB replaces its own record of the tree only with the commit.
      let former = try transaction.recordedEntries(ofTree: name)
      guard former == seal.entries[place] else {
        throw changedWithoutKey([SealFlaw("the tree '\(name)' was changed after the last commit")])
      }
      var sizes = MDB_stat()
      let code = mdb_stat(handle, dbi, &sizes)
      guard code == MDB_SUCCESS else { return code }
      seal.entries[place] = UInt64(sizes.ms_entries)
      if name == rows.tree { hasOtherRows = true }
    }
    if hasOtherRows { seal.update(trees: names, rows: try transaction.read(rows), sealing) }
    seal.counter += 1
    seal.commit = transaction.id
    let bytes = seal.record(sealing)
    session.seal = seal
    return CommitSeal.key.withUnsafeBytes { name in
      bytes.withUnsafeBytes { record in
        var key = WritableTransaction.value(name)
        var value = WritableTransaction.value(record)
        return mdb_put(handle, Transaction.unnamed, &key, &value, 0)
      }
    }
  }

  private func changedWithoutKey(_ flaws: [SealFlaw]) -> LMDBError {
    LMDBError(.changedWithoutKey, path: directory, detail: flaws.map(\.text).joined(separator: "; "))
  }
}

extension Transaction {
  /// Compares the store with the record of its last commit, in a read.
  ///
  /// - Returns: The differences. Empty if the commits of the environment are not authenticated.
  package final func sealFlaws() throws(LMDBError) -> [SealFlaw] {
    guard snapshot != 0, let (sealing, rows) = environment.authenticator else { return [] }
    return try readSeal(sealing, rows).flaws
  }

  /// Reads the state of the last commit, and compares it with the commit's record.
  fileprivate final func readSeal(
    _ sealing: any ValueSealing,
    _ stated: RowSelection
  ) throws(LMDBError) -> (seal: CommitSeal, flaws: [SealFlaw]) {
    // The rows are read first, because opening their tree may make the read begin again.
    let rows = try read(stated)
    let (trees, record) = try readUnnamed()
    if trees.isEmpty, record == nil { return (CommitSeal(), []) }
    var seal = CommitSeal(trees, rows: rows, sealing)
    guard let record else { return (seal, [SealFlaw("the record of the last commit is missing")]) }
    let flaws = seal.compare(with: record, sealing)
    return (seal, flaws)
  }

  /// Returns the rows with their keys.
  fileprivate final func read(_ stated: RowSelection) throws(LMDBError) -> [UInt8] {
    guard let tree = try database(named: stated.tree) else { return [] }
    let cursor = try cursor(tree)
    var rows: [UInt8] = []
    for prefix in stated.prefixes {
      let found = prefix.withUnsafeBytes { prefix in
        Result { () throws(LMDBError) in try cursor.seek(atOrAfter: prefix) }
      }
      var isThere = try found.get()
      while isThere, cursor.key.starts(with: prefix) {
        for bytes in [cursor.key, cursor.value] {
          rows.appendInteger(UInt64(bytes.count))
          rows.append(contentsOf: bytes)
        }
        isThere = try cursor.next()
      }
    }
    return rows
  }

  /// Returns the trees with their numbers of entries, and the record.
  private final func readUnnamed() throws(LMDBError) -> (
    trees: [(name: String, entries: UInt64)], record: UnsafeRawBufferPointer?
  ) {
    guard let handle else { throw endedError() }
    var cursor: OpaquePointer?
    let code = mdb_cursor_open(handle, Transaction.unnamed, &cursor)
    guard code == MDB_SUCCESS, let cursor else { throw failure(code) }
    defer { mdb_cursor_close(cursor) }
    var trees: [(name: String, entries: UInt64)] = []
    var record: UnsafeRawBufferPointer?
    var (key, value) = (MDB_val(), MDB_val())
    var next = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
    while next == MDB_SUCCESS {
      let name = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
      let bytes = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
      if name.elementsEqual(CommitSeal.key) {
        record = bytes
      } else if !name.contains(0) {
        trees.append((String(decoding: name, as: UTF8.self), try entries(in: bytes)))
      }
      next = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
    }
    guard next == MDB_NOTFOUND else { throw failure(next) }
    return (trees, record)
  }

  fileprivate final func entries(in record: UnsafeRawBufferPointer) throws(LMDBError) -> UInt64 {
    guard record.count == TreeRecord.size else {
      throw LMDBError(.damaged, path: environment.directory, detail: "a record of a tree")
    }
    return TreeRecord(record).entries
  }
}

extension WritableTransaction {
  /// Whether the store has the record that was verified or written last.
  fileprivate func hasRecord(of seal: CommitSeal) throws(LMDBError) -> Bool {
    guard let handle else { throw endedError() }
    var value = MDB_val()
    let code = CommitSeal.key.withUnsafeBytes { name in
      var key = Self.value(name)
      return mdb_get(handle, Transaction.unnamed, &key, &value)
    }
    if code == MDB_NOTFOUND { return seal.hash.isEmpty }
    guard code == MDB_SUCCESS else { throw failure(code) }
    return Self.bytes(value).suffix(CommitSeal.hashSize).elementsEqual(seal.hash)
  }

  /// Returns the number of entries that a tree had at the last commit.
  fileprivate func recordedEntries(ofTree name: String) throws(LMDBError) -> UInt64? {
    guard let handle else { throw endedError() }
    var name = name
    var value = MDB_val()
    let code = name.withUTF8 { bytes in
      var key = Self.value(UnsafeRawBufferPointer(bytes))
      return mdb_get(handle, Transaction.unnamed, &key, &value)
    }
    if code == MDB_NOTFOUND { return nil }
    guard code == MDB_SUCCESS else { throw failure(code) }
    return try entries(in: Self.bytes(value))
  }
}
