extension Store {
  /// Whether the store has no object of any type that the handle sees; inside of a write, as the write has it.
  ///
  /// A store that cannot be read is reported as an event, and counts as empty; ``fetchIsEmpty()`` throws instead.
  public var isEmpty: Bool {
    do { return try fetchIsEmpty() } catch {
      report(error, type: nil)
      return true
    }
  }

  /// Whether the store has no object of any type that the handle sees; inside of a write, as the write has it.
  ///
  /// - Throws: ``FiefError`` where the store is not open or cannot be read.
  public func fetchIsEmpty() throws -> Bool {
    let core = try core()
    if let write = core.activeWrite { return try write.isEmpty(of: visible) }
    return try read { try $0.isEmpty(of: visible) }
  }
}

extension AccessScope {
  fileprivate final func isEmpty(of visible: VisibleTypes?) throws -> Bool {
    try prepareForReading()
    let transaction = try liveTransaction()
    return try store.tables.all.allSatisfy { table in
      if let visible, !visible.contains(table.name) { return true }
      return try store.count(table, in: transaction) == 0
    }
  }
}

extension Store: Equatable {
  /// Whether two handles are of the same open store.
  public static func == (first: Store, second: Store) -> Bool {
    if first === second { return true }
    guard let core = first.openedCore, let other = second.openedCore else { return false }
    return core === other
  }
}
