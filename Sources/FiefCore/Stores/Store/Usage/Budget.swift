import Foundation

/// A bound of what a store may be used for in an hour, in a day or ever, and a handler for when it is reached. It refuses nothing.
///
/// ```swift
/// options.budgets = [
///   Budget(.reads, limit: 50_000, per: .day, at: [0.8, 1]) { notice in
///     print(notice.store, Int(notice.fraction * 100), "% of the day's reads are used")
///   }
/// ]
/// ```
/// The handler is called once for each fraction and window, after the read or the commit that reached it, on a thread of the
/// store; it may use the store. Windows are the hours and days of UTC, by ``StoreOptions/clock``. A clock that is set back
/// by less than a window goes on in the later one.
///
/// The store keeps its usage, so that a restart does not forget: at most once a second and when it is closed. After a
/// kill what was used since then is not known. A store that is opened for reading only keeps nothing. Where several processes use
/// a store, each adds what it has used to what is kept, learns of the others' use when it does so, and calls its own handler.
/// A fraction that is reached already when the store is opened is not reported.
public struct Budget: Sendable {
  /// What is counted, as in ``Usage/Counts``.
  public enum Quantity: Sendable, Hashable, CaseIterable {
    /// Cost reads.
    case reads
    /// Objects put.
    case writes
    /// Objects deleted.
    case deletes
    /// Bytes of the keys and records that are read.
    case bytesRead
    /// Bytes of the keys and records that are put.
    case bytesWritten
  }

  /// The time after which counting begins at zero again.
  public enum Period: Sendable, Hashable, CaseIterable {
    /// An hour of UTC.
    case hour
    /// A day of UTC.
    case day
    /// Never.
    case total
  }

  /// What is counted of a store.
  public enum Subject: Sendable, Hashable {
    /// Everything.
    case store
    /// The objects of a type.
    case type(String)
    /// What is done under a label of ``StoreUsage``.
    case label(String)
  }

  /// What is counted.
  public let quantity: Quantity
  /// The bound; one at least.
  public let limit: UInt64
  /// The length of a window.
  public let period: Period
  /// What is counted of the store.
  public let subject: Subject
  /// The parts of the limit at which the handler is called, in their order.
  public let fractions: [Double]
  let handler: @Sendable (BudgetNotice) -> Void

  /// Makes a budget.
  ///
  /// - Parameters:
  ///   - quantity: what is counted.
  ///   - limit: the bound; less than one counts as one.
  ///   - period: the length of a window.
  ///   - subject: what is counted of the store.
  ///   - fractions: the parts of the limit at which the handler is called; 1 is all of it. Those that are not above zero
  ///     are left out.
  ///   - handler: gets the notices.
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

  /// The amount from which on a fraction is reached.
  func threshold(_ fraction: Double) -> UInt64 {
    let exact = Double(limit) * fraction
    // A tenth of thirty is three, and a bit more in binary.
    let whole = abs(exact - exact.rounded()) < 1e-6 ? exact.rounded() : exact.rounded(.up)
    return max(1, UInt64(exactly: whole) ?? .max)
  }
}

/// What the handler of a ``Budget`` gets: a fraction of the limit is reached.
public struct BudgetNotice: Sendable {
  /// The store's name.
  public let store: String
  /// The budget.
  public let budget: Budget
  /// The fraction that is reached.
  public let fraction: Double
  /// The amount that is used in the window.
  public let used: UInt64
  /// The beginning of the window; nil for the period without an end.
  public let since: Date?
}

extension Budget.Period {
  /// The length of a window in seconds; nil for the one without an end.
  var seconds: Double? {
    switch self {
    case .hour: 3600
    case .day: 86_400
    case .total: nil
    }
  }

  /// The number of the window that a time is in.
  func window(at date: Date) -> Int64 {
    guard let seconds else { return 0 }
    return Int64(exactly: (date.timeIntervalSince1970 / seconds).rounded(.down)) ?? 0
  }

  /// The beginning of a window; nil for the one without an end.
  func start(of window: Int64) -> Date? {
    seconds.map { Date(timeIntervalSince1970: Double(window) * $0) }
  }
}

extension Usage.Counts {
  /// The amount of a quantity.
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
