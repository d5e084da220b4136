extension Store {
  /// A Boolean value that indicates whether the store has no objects of the handle's types. In a write, the
  /// changes of the write count.
  ///
  /// If the store cannot be read, the failure is reported as an event and the result is true;
  /// ``fetchIsEmpty()`` throws instead.
  public var isEmpty: Bool {
    do { return try fetchIsEmpty() } catch {
      report(error, type: nil)
      return true
    }
  }

  /// Returns whether the store has no objects of the handle's types. In a write, the changes of the write
  /// count.
  ///
  /// - Throws: ``FiefError`` if the store is not open or cannot be read.
  public func fetchIsEmpty() throws -> Bool {
    let core = try core()
    if let scope = core.readingScope(seeing: visible) { return try scope.isEmpty(of: visible) }
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
  /// Returns a Boolean value that indicates whether two handles refer to the same open store.
  public static func == (first: Store, second: Store) -> Bool {
    if first === second { return true }
    guard let core = first.openedCore, let other = second.openedCore else { return false }
    return core === other
  }
}
