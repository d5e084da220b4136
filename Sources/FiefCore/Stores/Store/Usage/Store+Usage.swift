import Foundation

extension Store {
  /// Returns the reads and writes of this process since the store was opened. All counts are zero if the
  /// store could not be opened.
  ///
  /// ```swift
  /// let usage = try pets.store().usage()
  /// print(usage.total.reads, usage.types["Dog"]?.bytesRead ?? 0, usage.labels["profile"]?.writes ?? 0)
  /// ```
  /// The reads of a `read { }` or a `write { }` are added when it ends. The reads of an iteration outside of
  /// them are added batch by batch, and writes when they are committed. This method reads nothing from the
  /// disk.
  public func usage() -> Usage {
    openedCore?.counters.usage ?? Usage(store: storeName, types: [:], labels: [:])
  }

  /// Returns the reads and writes of all processes in the current hour, in the current day, or in total, as
  /// the store saves them.
  ///
  /// A store saves its usage if it has ``StoreOptions/budgets`` or if ``StoreOptions/keepsUsage`` is set, at
  /// most once per second and when it is closed. Hours and days begin in UTC according to
  /// ``StoreOptions/clock``. The result includes all usage of this process, and the usage that other
  /// processes had saved when this process last saved its own.
  ///
  /// - Parameter period: the hour, the day, or the total.
  /// - Returns: the usage, or `nil` if the store saves no usage or could not be opened.
  public func usage(per period: Budget.Period) -> Usage? { openedCore?.counters.ledger?.usage(per: period) }

  /// The name of the store, even if it could not be opened.
  package var storeName: String { openedCore?.name ?? openingError?.store ?? "" }

  /// The identity of the store in the process, or the store's name if it could not be opened. It stays the
  /// same if the store is opened again.
  package var place: String { openedCore?.place ?? storeName }

  /// The clock of ``StoreOptions/clock``, which modules of the package use for the times that they store.
  package var clock: @Sendable () -> Date {
    guard let core = openedCore else { return { Date() } }
    return core.tables.clock
  }
}
