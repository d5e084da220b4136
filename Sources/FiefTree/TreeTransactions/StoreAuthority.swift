import Fief

/// The store as the authority of its transactions: a transaction runs in its turn of the write queue, so its
/// value is the newest one, and its result is always accepted.
struct StoreAuthority: TransactionAuthority {
  let path: TreePath
  /// The client of the transaction; `nil` for the program itself.
  let client: TreeClient?
  let scope: WriteTransaction

  func value() throws -> JSON {
    do {
      var reader = SubtreeReader(try TreeNodes(in: scope))
      return try reader.value(at: TreePlace(path))
    } catch {
      throw FiefError.described(error, store: scope.store.name, at: path)
    }
  }

  func decide(_ result: JSON, insteadOf old: JSON) throws -> TransactionMachine.Decision {
    try TreeChanges(result, at: path).checked(for: client).apply(in: scope)
    return .accepted
  }

  /// Listeners see the commit, which follows.
  func preview(_ preview: TransactionMachine.Preview) {}
}
