import FiefCore
import Foundation

/// The order in which every process locks the stores of a joint write.
enum JointOrder {
  /// Returns the stores in locking order, the coordinator first. Stores on disk come before stores in memory,
  /// which end with their process and therefore cannot store a decision. Within each group the order is by
  /// identifier.
  ///
  /// - Throws: ``FiefError`` if the stores cannot be written to together.
  static func checked(_ cores: [StoreCore]) throws -> [StoreCore] {
    guard let first = cores.first, cores.count <= Int(UInt16.max) else {
      throw FiefError(.invalidValue, "A write to several stores needs at least one store.")
    }
    for core in cores where core.isReadOnly { throw core.readOnlyError }
    for (index, core) in cores.enumerated() where cores[..<index].contains(where: { $0 === core }) {
      throw FiefError(
        .nestedWrite,
        "A write to several stores lists a store twice: list each store once.",
        store: core.name
      )
    }
    for core in cores { try core.checkNoTransaction() }
    // A thread that holds one store and waits for others could deadlock with another such thread.
    if let active = WritingThreads.current {
      throw FiefError(
        .nestedWrite,
        "A write to several stores began inside another write: begin the outer write with all of the stores.",
        store: first.name,
        details: ["the other write's stores: " + active.sorted().joined(separator: ", ")]
      )
    }
    return cores.sorted { key($0).lexicographicallyPrecedes(key($1)) }
  }

  private static func key(_ core: StoreCore) -> [UInt8] {
    // Copies of a store have the same identifier, so the directory decides between them.
    [core.isInMemory ? 1 : 0] + withUnsafeBytes(of: core.storeID.uuid) { Array($0) }
      + Array(core.directory.utf8)
  }

  /// Calls a closure during a turn in each store's write queue.
  static func withTurns<Value>(_ cores: ArraySlice<StoreCore>, _ body: () throws -> Value) throws -> Value {
    guard let first = cores.first else { return try body() }
    return try first.queue().withTurn { try withTurns(cores.dropFirst(), body) }
  }
}
