import LMDB

/// The counts of a store by label. They are kept in stripes, so that threads with labels do not wait for each
/// other.
final class LabelCounters: Sendable {
  /// The maximum number of labels that are counted separately.
  static let limit = 256
  private static let stripes = 8

  private final class Stripe: Sendable {
    let counts = OwnedLock<[String: Usage.Counts]>([:])
  }

  private let stripes = (0..<LabelCounters.stripes).map { _ in Stripe() }
  private let known = OwnedLock<Set<String>>([])

  func add(_ counts: Usage.Counts, under label: String) {
    let thread = currentThread() &* 0x9E37_79B9_7F4A_7C15
    let stripe = stripes[Int(truncatingIfNeeded: thread >> 61)]
    let isAdded = stripe.counts.withLock { all in
      guard all[label] != nil else { return false }
      all[label]?.add(counts)
      return true
    }
    if isAdded { return }
    let label = known.withLock { $0.toldApart(label) }
    stripe.counts.withLock { $0[label, default: Usage.Counts()].add(counts) }
  }

  var all: [String: Usage.Counts] {
    stripes.reduce(into: [:]) { sum, stripe in
      for (label, counts) in stripe.counts.withLock({ $0 }) {
        sum[label, default: Usage.Counts()].add(counts)
      }
    }
  }
}

extension Set<String> {
  /// Returns the label, or the common label if the maximum number of separate labels is reached.
  ///
  /// - Parameter others: labels that are always counted separately.
  mutating func toldApart(_ label: String, besides others: Set<String> = []) -> String {
    if contains(label) || others.contains(label) || label == StoreUsage.otherLabels { return label }
    guard count < LabelCounters.limit else { return StoreUsage.otherLabels }
    insert(label)
    return label
  }
}
