import CLMDB

extension DatabaseTable {
  /// Opens the databases that exist, as far as LMDB has room for handles.
  ///
  /// A read that began before a handle was opened cannot use it, so the earlier the better.
  func openAll(_ environment: OpaquePointer) {
    withHandles(environment) { transaction in
      var names: [String] = []
      var cursor: OpaquePointer?
      guard mdb_cursor_open(transaction, Transaction.unnamed, &cursor) == MDB_SUCCESS else { return }
      var key = MDB_val()
      var value = MDB_val()
      while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == MDB_SUCCESS {
        let bytes = UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)
        if !bytes.contains(0) { names.append(String(decoding: bytes, as: UTF8.self)) }
      }
      mdb_cursor_close(cursor)
      for name in names where database(named: name) == nil {
        var dbi: MDB_dbi = 0
        guard mdb_dbi_open(transaction, name, 0, &dbi) == MDB_SUCCESS,
          let database = try? reserve(handle: dbi)
        else { continue }
        publish(database, named: name)
      }
    }
  }

  /// Gives every published database its handle in a new LMDB environment.
  func reopenAll(_ environment: OpaquePointer) {
    withHandles(environment) { transaction in
      for (name, database) in published {
        var dbi: MDB_dbi = 0
        if mdb_dbi_open(transaction, name, 0, &dbi) == MDB_SUCCESS {
          entries[Int(database.slot)].handle = dbi
        } else {
          remove(database)
        }
      }
    }
  }

  private func withHandles(_ environment: OpaquePointer, _ body: (OpaquePointer) -> Void) {
    var begun: OpaquePointer?
    guard mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &begun) == MDB_SUCCESS,
      let transaction = begun
    else { return }
    body(transaction)
    // Only a commit makes the handles known to other transactions.
    mdb_txn_commit(transaction)
  }
}
