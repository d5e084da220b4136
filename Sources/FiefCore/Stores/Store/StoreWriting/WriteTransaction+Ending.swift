/// The end of a write.
extension WriteTransaction {
  /// Ends the write after the commit. Any writer may use the rest of the reserved row ids, and nothing can be
  /// rolled back any more.
  package func didCommit() {
    rowIDs.didCommit()
    undo.removeAll()
    restoreDrafts()
  }

  /// Calls a closure that may fail in the middle of its changes. If it fails, the transaction cannot be
  /// committed, even if the caller ignores the error.
  package func changing<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      // These errors are found before the first change, or the changes are rolled back.
      let code = (error as? FiefError)?.code
      if code != .duplicatePrimaryKey, code != .objectNotFound, code != .deletionDenied { fail(error) }
      throw error
    }
  }

  /// Ends the scope in the middle of its closure, and discards its changes.
  ///
  /// - Throws: ``FiefError`` of code `transactionEnded` if the write shares its transaction with other
  ///   writes.
  func cancel() throws {
    guard cancellation == .allowed else {
      throw FiefError(
        .transactionEnded,
        "To cancel a write that may share its commit with other writes, throw an error from its closure.",
        store: store.name
      )
    }
    rollBack()
    cancellation = .done
  }

  /// Ends the scope of a transaction that was not committed, and restores the objects. Objects that have
  /// joined the transaction get their former values, and objects that were read in it get the stored values.
  /// Objects that were added to it keep the values of their properties.
  package func rollBack() {
    if cancellation == .done { return }
    let own = isUsable ? context : nil
    var instances: [ObjectBase?] = own == nil ? [] : live.all.map(\.1)
    // Keeps the joined objects alive until they are restored: the application may hold only a collection of
    // an object, and then the write alone holds the object.
    let joined = undo.joined
    end()
    undo.undo()
    withExtendedLifetime(joined) {}
    drafts = [:]
    if let own { reload(&instances, of: own) }
  }
}
