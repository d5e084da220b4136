import CLMDB

extension Environment {
  /// Opens databases in a separate short transaction, and creates the missing ones if `create` is `true`.
  ///
  /// - Returns: The databases in the order of the names; `nil` for a missing one if `create` is `false`.
  /// - Throws: `nestedWrite` inside a write of the same thread; `databasesFull`; `readOnly`.
  @usableFromInline package func openDatabases(_ names: [String], create: Bool) throws(LMDBError)
    -> [Database?]
  {
    try checkUsable()
    var found = names.map { databases.database(named: $0) }
    guard found.contains(where: { $0 == nil }) else { return found }
    let failure = try openExisting(names)
    found = names.map { databases.database(named: $0) }
    if failure != 0, found.contains(where: { $0 == nil }) {
      throw LMDBError(returnCode: failure, path: directory, doing: "mdb_dbi_open")
    }
    guard create, found.contains(where: { $0 == nil }) else { return found }
    do {
      return try write { transaction in
        try names.map { name throws(LMDBError) in try transaction.openDatabase(named: name) }
      }
    } catch let error as LMDBError {
      throw error
    } catch {
      throw LMDBError(.lmdb, detail: "\(error)")
    }
  }

  /// Returns the database with a name, or `nil` if it does not exist. Opens it in a separate transaction if
  /// it is not open.
  ///
  /// - Throws: The errors of ``openDatabases(_:create:)``.
  @usableFromInline package func openDatabase(named name: String) throws(LMDBError) -> Database? {
    try checkUsable()
    if let known = databases.database(named: name) { return known }
    let failure = try openExisting([name])
    if let found = databases.database(named: name) { return found }
    if failure != 0 { throw LMDBError(returnCode: failure, path: directory, doing: "mdb_dbi_open") }
    return nil
  }

  private func openExisting(_ names: [String]) throws(LMDBError) -> Int32 {
    try writer.acquire()
    defer { releaseWriter() }
    try checkUsable()
    // Another process may have created them with a larger map.
    try followGrowth()
    guard let handle else { throw LMDBError(.poisoned, path: directory) }
    return try databases.openExisting(handle, only: names)
  }
}
