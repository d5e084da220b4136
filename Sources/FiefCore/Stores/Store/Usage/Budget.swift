import Foundation

/// A limit for the use of a store in an hour, in a day or in total, with a handler that is called when the
/// limit is reached. A budget does not prevent anything.
///
/// ```swift
/// options.budgets = [
///   Budget(.reads, limit: 50_000, per: .day, at: [0.8, 1]) { notice in
///     print(notice.store, Int(notice.fraction * 100), "% of the day's reads are used")
///   }
/// ]
/// ```
/// The handler is called once for each fraction and window, after the read or the commit that reached the
/// fraction, on a thread of the store. It may use the store. Windows are hours and days in UTC according to
/// ``StoreOptions/clock``. If the clock is set back by less than one window, counting continues in the later
/// window.
///
/// The store saves its usage at most once per second and when it is closed, so that the usage survives a
/// restart. If the process is killed, the usage since the last save is lost. A store that is opened only for
/// reading saves nothing.
///
/// If several processes use a store, each adds its usage to the saved usage, reads the usage of the other
/// processes at that time, and calls its own handler. A fraction that was already reached when the store is
/// opened is not reported.
public struct Budget: Sendable {
  /// The quantity to count, as in ``Usage/Counts``.
  public enum Quantity: Sendable, Hashable, CaseIterable {
    /// The number of reads, counted as ``Usage`` describes.
    case reads
    /// The number of objects written.
    case writes
    /// The number of objects deleted.
    case deletes
    /// The number of bytes in the keys and records that are read.
    case bytesRead
    /// The number of bytes in the keys and records that are written.
    case bytesWritten
  }

  /// The time after which the count restarts at zero.
  public enum Period: Sendable, Hashable, CaseIterable {
    /// An hour of UTC.
    case hour
    /// A day of UTC.
    case day
    /// Unlimited: the count never restarts.
    case total
  }

  /// The part of a store's usage to count.
  public enum Subject: Sendable, Hashable {
    /// The whole store.
    case store
    /// The objects of a type.
    case type(String)
    /// The reads and writes under a label of ``StoreUsage``.
    case label(String)
  }

  /// The counted quantity.
  public let quantity: Quantity
  /// The limit, at least one.
  public let limit: UInt64
  /// The length of a window.
  public let period: Period
  /// The part of the store's usage to count.
  public let subject: Subject
  /// The fractions of the limit at which the handler is called, in ascending order.
  public let fractions: [Double]
  let handler: @Sendable (BudgetNotice) -> Void

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - quantity: the counted quantity.
  ///   - limit: the limit; less than one counts as one.
  ///   - period: the length of a window.
  ///   - subject: the part of the store's usage to count.
  ///   - fractions: the fractions of the limit at which the handler is called; 1 is the whole limit.
  ///     Fractions that are zero, negative or not finite are ignored.
  ///   - handler: receives the notices.
  public init(
    _ quantity: Quantity,
    limit: Int,
    per period: Period,
    of subject: Subject = .store,
    at fractions: [Double] = [1],
    handler: @escaping @Sendable (BudgetNotice) -> Void
  ) {
    self.quantity = quantity
    self.limit = UInt64(max(1, limit))
    self.period = period
    self.subject = subject
    self.fractions = Set(fractions.filter { $0 > 0 && $0.isFinite }).sorted()
    self.handler = handler
  }

  /// Returns the usage at which a fraction is reached.
  func threshold(_ fraction: Double) -> UInt64 {
    let exact = Double(limit) * fraction
    // A tenth of thirty is three, but slightly more as a binary fraction.
    let whole = abs(exact - exact.rounded()) < 1e-6 ? exact.rounded() : exact.rounded(.up)
    return max(1, UInt64(exactly: whole) ?? .max)
  }
}

/// The information that the handler of a ``Budget`` receives when a fraction of the limit is reached.
public struct BudgetNotice: Sendable {
  /// The name of the store.
  public let store: String
  /// The budget.
  public let budget: Budget
  /// The fraction that was reached.
  public let fraction: Double
  /// The amount used in the window.
  public let used: UInt64
  /// The beginning of the window, or `nil` for the period `total`.
  public let since: Date?
}

extension Budget.Period {
  /// The length of a window in seconds; nil for the period `total`.
  var seconds: Double? {
    switch self {
    case .hour: 3600
    case .day: 86_400
    case .total: nil
    }
  }

  /// Returns the number of the window that contains a time.
  func window(at date: Date) -> Int64 {
    guard let seconds else { return 0 }
    return Int64(exactly: (date.timeIntervalSince1970 / seconds).rounded(.down)) ?? 0
  }

  /// Returns the beginning of a window, or nil for the period `total`.
  func start(of window: Int64) -> Date? {
    seconds.map { Date(timeIntervalSince1970: Double(window) * $0) }
  }
}

extension Usage.Counts {
  /// The count of a quantity.
  public subscript(quantity: Budget.Quantity) -> UInt64 {
    switch quantity {
    case .reads: reads
    case .writes: writes
    case .deletes: deletes
    case .bytesRead: bytesRead
    case .bytesWritten: bytesWritten
    }
  }
}
