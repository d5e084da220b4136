import Foundation

extension Store {
  /// What has been read and written since the store was opened, by this process; all zero where it could not be opened.
  ///
  /// ```swift
  /// let usage = try pets.store().usage()
  /// print(usage.total.reads, usage.types["Dog"]?.bytesRead ?? 0, usage.labels["profile"]?.writes ?? 0)
  /// ```
  /// The reads of a `read { }` or a `write { }` are added when it ends, those of an iteration outside of them batch by
  /// batch, writes when they are committed. To ask reads nothing from the disk.
  public func usage() -> Usage {
    openedCore?.counters.usage ?? Usage(store: storeName, types: [:], labels: [:])
  }

  /// What all processes have read and written in the current hour or day, or ever, as the store keeps it.
  ///
  /// A store keeps its usage where ``StoreOptions/budgets`` has any or ``StoreOptions/keepsUsage`` is set: at most once a second
  /// and when it is closed. Hours and days are those of UTC, by ``StoreOptions/clock``. Of this process everything counts, of
  /// others what they have kept when this process last kept its own.
  ///
  /// - Parameter period: the hour, the day, or everything.
  /// - Returns: nil where the store keeps no usage, or could not be opened.
  public func usage(per period: Budget.Period) -> Usage? { openedCore?.counters.ledger?.usage(per: period) }

  /// The name of the store, also where it could not be opened.
  package var storeName: String { openedCore?.name ?? openingError?.store ?? "" }

  /// What identifies the store in the process, also when it is opened again; its name where it could not be opened.
  package var place: String { openedCore?.place ?? storeName }

  /// The clock of ``StoreOptions/clock``, by which modules of the package date what they keep in the store.
  package var clock: @Sendable () -> Date {
    guard let core = openedCore else { return { Date() } }
    return core.tables.clock
  }
}
