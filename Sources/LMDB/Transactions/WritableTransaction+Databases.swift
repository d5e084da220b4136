import CLMDB

extension WritableTransaction {
  /// Opens a database, and creates it if it is missing. The creation is rolled back if the transaction
  /// aborts.
  @usableFromInline package func openDatabase(named name: String) throws(LMDBError) -> Database {
    if let existing = try open(name, 0) { return existing }
    guard let created = try open(name, UInt32(MDB_CREATE)) else { throw LMDBError(.notFound) }
    session.isChanged = true
    return created
  }

  /// Deletes a database with all its entries.
  ///
  /// The handle is valid until the commit, which waits for this process's readers.
  @usableFromInline package func drop(_ database: Database) throws(LMDBError) {
    try removeAll(database)
    guard let name = name(of: database) else {
      throw LMDBError(.notFound, "The database was dropped.")
    }
    if !session.dropped.contains(where: { $0.name == name }) { session.dropped.append((name, database)) }
  }

  func existingDatabase(named name: String) throws(LMDBError) -> Database? {
    if session.dropped.contains(where: { $0.name == name }) { return nil }
    return try open(name, 0)
  }

  func name(of database: Database) -> String? {
    environment.databases.name(of: database)
      ?? session.opened.first { $0.database == database }?.name
  }

  private func open(_ name: String, _ flags: UInt32) throws(LMDBError) -> Database? {
    let handle = try writable()
    guard !name.isEmpty, name.utf8.count <= 511, !name.utf8.contains(0) else {
      throw LMDBError(.keyLengthInvalid, "The name of a database is not valid.", detail: name)
    }
    session.dropped.removeAll { $0.name == name }
    if let entry = session.opened.first(where: { $0.name == name }) { return entry.database }
    if let known = environment.databases.database(named: name) { return known }
    var dbi: MDB_dbi = 0
    let code = DatabaseTable.open(handle, name, flags, &dbi)
    if code == MDB_NOTFOUND { return nil }
    guard code == MDB_SUCCESS else { throw failure(code) }
    let database = try environment.databases.reserve(handle: dbi)
    session.opened.append((name, database))
    return database
  }
}
