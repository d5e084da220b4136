extension DatabaseConfigurable {
  /// Compares everything in the store: records, indexes, links and catalogue.
  ///
  /// Looks at one committed state while the store is in use, and changes nothing. Takes time in proportion
  /// to the store's size.
  ///
  /// - Throws: ``FiefError`` where the store cannot be opened or read at all.
  public func check() throws -> StoreCheck {
    let core = try store().core()
    return try core.read { try StoreChecker(tables: core.tables, transaction: $0).run() }
  }

  /// What the store holds: sizes and counts, in constant time for each type.
  public func overview() throws -> StoreOverview { try store().core().overview() }
}
