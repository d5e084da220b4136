import Synchronization

/// The number of bodies of optimistic transactions that run in the process, so that other writes ask for no task-local value.
enum OptimisticTransactions {
  private static let running = Atomic<Int>(0)

  @inline(__always)
  static var areAny: Bool { running.load(ordering: .relaxed) > 0 }

  static func begin() { running.wrappingAdd(1, ordering: .relaxed) }

  static func end() { running.wrappingSubtract(1, ordering: .relaxed) }
}
