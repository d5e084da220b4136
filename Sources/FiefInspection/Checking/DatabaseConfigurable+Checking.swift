import FiefCore

extension DatabaseConfigurable {
  /// Checks the consistency of the whole store: records, indexes, links and catalogue.
  ///
  /// Checks one committed state while the store is in use, and changes nothing. The time is proportional to
  /// the size of the store.
  ///
  /// - Throws: ``FiefError`` if the store cannot be opened or read at all.
  public func check() throws -> IntegrityReport {
    let core = try store().core()
    return try core.read { transaction in
      var check = try StoreChecker(tables: core.tables, transaction: transaction).run()
      check.unknownValues = try UnknownValue.list(in: core, transaction)
      return check
    }
  }
}
