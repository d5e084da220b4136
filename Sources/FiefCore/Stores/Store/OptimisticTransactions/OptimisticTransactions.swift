import Synchronization

/// The number of bodies of optimistic transactions that are running in the process. If it is zero, other
/// writes need not read the task-local value.
enum OptimisticTransactions {
  private static let running = Atomic<Int>(0)

  @inline(__always)
  static var areAny: Bool { running.load(ordering: .relaxed) > 0 }

  static func begin() { running.wrappingAdd(1, ordering: .relaxed) }

  static func end() { running.wrappingSubtract(1, ordering: .relaxed) }
}
