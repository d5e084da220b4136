import Synchronization

/// Whether a transaction has reported a read that it does not note.
final class UntrackedReadFlag: Sendable {
  private let isRaised = Atomic(false)

  /// Raises the flag; returns whether it was not raised before.
  func raise() -> Bool { !isRaised.exchange(true, ordering: .relaxed) }
}

extension StoreCore {
  /// Reports the first read in the body of an optimistic transaction that goes through the store: the transaction does not note it, so
  /// that a change of what was read is no conflict.
  ///
  /// Without optimistic transactions in the process this is one load.
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
          "The body of an optimistic transaction reads through the store, and a change of what it reads is no conflict. "
            + "Read with the transaction: get(_:forPrimaryKey:) for an object, getAll(transaction.objects(…)) for a query.",
          store: name,
          type: type?.className()
        )
      )
    )
  }
}
