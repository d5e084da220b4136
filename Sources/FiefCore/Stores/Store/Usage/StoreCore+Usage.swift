import LMDB

extension StoreCore {
  /// Makes the ledger call the handlers of budgets on the store's thread, and submit its commits to the write
  /// queue.
  ///
  /// The ledger and the store refer to each other until ``keepUsageAtEnd()``, like the store and its queue.
  func beginKeepingUsage() {
    guard let ledger = counters.ledger else { return }
    let keep: @Sendable () -> Void = { self.keepUsage(ledger) }
    ledger.begin(
      UsageLedger.Shell(
        report: { notices in
          self.completions.perform {
            self.inSandboxes { for notice in notices { notice.budget.handler(notice) } }
          }
        },
        keep: isReadOnly ? nil : keep
      )
    )
  }

  private func keepUsage(_ ledger: UsageLedger) {
    do {
      try queue().leave(.keepUsage) { outcome in
        guard case .failure(let error) = outcome else { return }
        self.couldNotKeep(ledger, error)
      }
    } catch { couldNotKeep(ledger, error) }
  }

  /// Handles a failure to save the usage. Saving is retried every second. The failure is reported once until
  /// saving succeeds again.
  private func couldNotKeep(_ ledger: UsageLedger, _ error: any Error) {
    switch (error as? FiefError)?.code {
    // The usage is saved when the store is closed, or when the queue has room again.
    case .storeClosed, .writeQueueFull: ledger.didNotKeep()
    default: if ledger.didFail() { emit(.failedWrite(store: name, error: described(error))) }
    }
  }

  /// Saves the usage since the last save, after the queue has ended.
  func keepUsageAtEnd() {
    guard let ledger = counters.ledger else { return }
    ledger.end()
    if isReadOnly || !ledger.isPending { return }
    do {
      try environment.write { try ledger.keep(tables.catalogueTree, in: $0) }
      ledger.didKeep()
    } catch {
      couldNotKeep(ledger, error)
    }
  }
}
