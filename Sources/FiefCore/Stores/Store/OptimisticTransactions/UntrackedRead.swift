import Synchronization

/// Whether a transaction has reported a read that it does not record.
final class UntrackedReadFlag: Sendable {
  private let isRaised = Atomic(false)

  /// Sets the flag. Returns whether it was not set before.
  func raise() -> Bool { !isRaised.exchange(true, ordering: .relaxed) }
}

extension StoreCore {
  /// Reports the first read through the store in the body of an optimistic transaction. The transaction does
  /// not record such a read, so a change of its result is not a conflict.
  ///
  /// If the process runs no optimistic transactions, this costs one load.
  @inline(__always)
  func noteUntrackedRead(of type: ObjectBase.Type? = nil) {
    if OptimisticTransactions.areAny { reportUntrackedRead(of: type) }
  }

  @inline(never)
  private func reportUntrackedRead(of type: ObjectBase.Type?) {
    guard let transaction = runningTransaction, transaction.hasUntrackedRead.raise() else { return }
    emit(
      .misuse(
        FiefError(
          .untrackedRead,
          "The body of an optimistic transaction reads through the store, so changes to these objects cause no conflict. "
            + "Read with the transaction: get(_:forPrimaryKey:) for an object, getAll(transaction.objects(…)) for a query.",
          store: name,
          type: type?.className()
        )
      )
    )
  }
}
