import Foundation

/// The usage of the current hour, of the current day and in total, as a store saves it.
package struct UsageRecord: Sendable, Equatable {
  /// The usage of one window.
  struct Window: Sendable, Equatable {
    var number: Int64 = 0
    var types: [String: Usage.Counts] = [:]
    var labels: [String: Usage.Counts] = [:]

    /// Moves to a window and starts at zero, unless the current window is that window or the one after it. If
    /// the clock is set back by less than one window, counting therefore continues in the later window.
    mutating func move(to number: Int64) {
      if self.number == number || self.number == number + 1 { return }
      self = Window(number: number)
    }

    func counts(of subject: Budget.Subject) -> Usage.Counts {
      switch subject {
      case .store: types.values.reduce(into: Usage.Counts()) { $0.add($1) }
      case .type(let name): types[name] ?? Usage.Counts()
      case .label(let name): labels[name] ?? Usage.Counts()
      }
    }
  }

  /// The windows, in the order of the periods.
  private var windows = Budget.Period.allCases.map { _ in Window() }

  subscript(period: Budget.Period) -> Window {
    get { windows[period.index] }
    set { windows[period.index] = newValue }
  }

  mutating func move(to date: Date) {
    for period in Budget.Period.allCases { self[period].move(to: period.window(at: date)) }
  }

  /// Adds to the current windows.
  mutating func add(_ entry: UsageLedger.Entry) {
    for index in windows.indices {
      windows[index].types[entry.type, default: Usage.Counts()].add(entry.counts)
      guard let label = entry.label else { continue }
      windows[index].labels[label, default: Usage.Counts()].add(entry.counts)
    }
  }

  /// Adds the usage of another process, or the usage of this process since its last save.
  ///
  /// - Parameter apart: labels that are always counted separately.
  mutating func add(_ other: UsageRecord, besides apart: Set<String> = []) {
    for index in windows.indices {
      let window = other.windows[index]
      if window.types.isEmpty { continue }
      windows[index].move(to: window.number)
      windows[index].types.merge(window.types) { Usage.Counts.sum($0, $1) }
      var known = Set(windows[index].labels.keys).subtracting(apart)
      known.remove(StoreUsage.otherLabels)
      for (label, counts) in window.labels {
        let label = known.toldApart(label, besides: apart)
        windows[index].labels[label, default: Usage.Counts()].add(counts)
      }
    }
  }

  /// Subtracts usage that was added before, in the windows that have not changed.
  mutating func remove(_ other: UsageRecord) {
    for index in windows.indices where windows[index].number == other.windows[index].number {
      for (type, counts) in other.windows[index].types { windows[index].types[type]?.remove(counts) }
      for (label, counts) in other.windows[index].labels { windows[index].labels[label]?.remove(counts) }
      windows[index].types = windows[index].types.filter { !$1.isEmpty }
      windows[index].labels = windows[index].labels.filter { !$1.isEmpty }
    }
  }

  var isEmpty: Bool { windows.allSatisfy(\.types.isEmpty) }

  /// Returns the usage of a period.
  package func usage(per period: Budget.Period, store: String) -> Usage {
    Usage(store: store, types: self[period].types, labels: self[period].labels)
  }

  /// Returns the beginning of the current window of a period, or nil for the period `total`.
  package func start(of period: Budget.Period) -> Date? { period.start(of: self[period].number) }
}

extension Budget.Period {
  fileprivate var index: Int {
    switch self {
    case .hour: 0
    case .day: 1
    case .total: 2
    }
  }
}

extension Usage.Counts {
  fileprivate static func sum(_ one: Self, _ other: Self) -> Self {
    var sum = one
    sum.add(other)
    return sum
  }
}
