import Synchronization

/// What an optimistic transaction writes at its commit.
struct TransactionWrites: Sendable {
  var steps: [PreparedChanges] = []
  var byteCount: Int { steps.reduce(0) { $0 + $1.bytes.count } }
  var isEmpty: Bool { steps.isEmpty }
}

/// The number of bodies of optimistic transactions that run in the process, so that other writes ask for no task-local value.
enum OptimisticTransactions {
  private static let running = Atomic<Int>(0)

  @inline(__always)
  static var areAny: Bool { running.load(ordering: .relaxed) > 0 }

  static func begin() { running.wrappingAdd(1, ordering: .relaxed) }

  static func end() { running.wrappingSubtract(1, ordering: .relaxed) }
}
