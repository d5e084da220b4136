import CLMDB

extension DatabaseTable {
  /// Opens the wanted databases that exist. Without names, opens all databases if LMDB has enough handles.
  ///
  /// A read that began before a handle was opened cannot use the handle, so handles should be opened early.
  ///
  /// - Returns: The code of the first database that could not be opened, or 0.
  /// - Throws: An error if the names cannot be read. LMDB then has no order for the names, and would end the
  ///   process when a name is looked up.
  @discardableResult
  func openExisting(
    _ environment: OpaquePointer,
    only wanted: [String]? = nil
  ) throws(LMDBError) -> Int32 {
    var failure: Int32 = 0
    try withHandles(environment) { transaction in
      var names: [String] = []
      var cursor: OpaquePointer?
      let opened = mdb_cursor_open(transaction, Transaction.unnamed, &cursor)
      guard opened == MDB_SUCCESS else {
        failure = opened
        return
      }
      var key = MDB_val()
      var value = MDB_val()
      while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
        let bytes = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
        if !bytes.contains(0) { names.append(String(decoding: bytes, as: UTF8.self)) }
      }
      mdb_cursor_close(cursor)
      if let wanted {
        names.removeAll { !wanted.contains($0) }
      } else if names.count > limit {
        return
      }
      for name in names where database(named: name) == nil {
        var dbi: MDB_dbi = 0
        let code = DatabaseTable.open(transaction, name, 0, &dbi)
        guard code == MDB_SUCCESS, let database = try? reserve(handle: dbi) else {
          if failure == 0 { failure = code == MDB_SUCCESS ? MDB_DBS_FULL : code }
          continue
        }
        publish(database, named: name)
      }
    }
    return failure
  }

  /// Assigns every published database its handle in a new LMDB environment.
  ///
  /// - Throws: The errors of ``openExisting(_:only:)``. The handles are then still the old environment's.
  func reopenAll(_ environment: OpaquePointer) throws(LMDBError) {
    try withHandles(environment) { transaction in
      for (name, database) in published {
        var dbi: MDB_dbi = 0
        if DatabaseTable.open(transaction, name, 0, &dbi) == MDB_SUCCESS {
          entries[Int(database.slot)].set(handle: dbi, generation: database.generation)
        } else {
          remove(database)
        }
      }
    }
  }

  /// Opens a handle of a database without flags.
  ///
  /// This library creates no other kind, because the cursors of LMDB 0.9.24 have bugs with duplicates.
  static func open(
    _ transaction: OpaquePointer,
    _ name: String,
    _ flags: UInt32,
    _ handle: inout MDB_dbi
  ) -> Int32 {
    let code = mdb_dbi_open(transaction, name, flags, &handle)
    guard code == MDB_SUCCESS else { return code }
    var found: UInt32 = 0
    mdb_dbi_flags(transaction, handle, &found)
    return found == 0 ? MDB_SUCCESS : MDB_INCOMPATIBLE
  }

  private func withHandles(
    _ environment: OpaquePointer,
    _ body: (OpaquePointer) -> Void
  ) throws(LMDBError) {
    var begun: OpaquePointer?
    var code = mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun)
    guard code == MDB_SUCCESS, let transaction = begun else {
      throw LMDBError(returnCode: code, doing: "mdb_txn_begin")
    }
    // LMDB sets the order of the unnamed database only when a database is opened, and there may be no named
    // one.
    var unnamed: MDB_dbi = 0
    code = mdb_dbi_open(transaction, nil, 0, &unnamed)
    if code == MDB_SUCCESS {
      body(transaction)
      // Other transactions can use the handles only after a commit.
      code = mdb_txn_commit(transaction)
    } else {
      mdb_txn_abort(transaction)
    }
    guard code == MDB_SUCCESS else { throw LMDBError(returnCode: code, doing: "mdb_dbi_open") }
  }
}
