import FiefCore
import LMDB

/// The decision and the steps after it.
extension JointWriter {
  func commit(_ store: Int) throws -> JointMachine.Event {
    guard let held = held[store] else { return .failed }
    let core = cores[store]
    let number = held.transaction.isChanged ? held.transaction.id : nil
    self.held[store] = nil
    guard try held.commit() else {
      if store == 0 { return .tooSmall(0) }
      throw LMDBError(.mapFull, path: core.environment.directory)
    }
    if let number {
      sessions[store].add(number)
      sessions[store].noteNumber()
    }
    // No participant may have its changes on disk before the decision is on disk, and the decision may be
    // removed only when all changes are on disk.
    if store == 0 { try synchroniseDecision(core) } else { try core.environment.syncIfRelaxed() }
    return .succeeded
  }

  private func synchroniseDecision(_ core: StoreCore) throws(LMDBError) {
    do throws(LMDBError) { try core.environment.syncIfRelaxed() } catch {
      throw LMDBError(
        .outcomeUnknown,
        path: core.environment.directory,
        detail: "\(error)",
        returnCode: error.returnCode
      )
    }
  }

  func replay(_ store: Int) throws {
    try JointRecovery.finish(id, UInt16(store), sides[0], sides[store])
    unfinishedReasons[store] = nil
  }

  func clean() throws {
    var number: UInt64?
    try cores[0].environment.write { transaction in
      let heads = try JointRows.rows(JointRows.heads, sides[0].tree, in: transaction)
      for head in heads where head.id == id && unfinishedReasons[Int(head.participant)] == nil {
        try JointRows.deleteDecision(head, sides[0].tree, in: transaction)
      }
      number = transaction.isChanged ? transaction.id : nil
    }
    if let number { sessions[0].add(number) }
  }

  func complete(_ unfinished: [Int]) throws -> Value {
    for (core, scope) in zip(cores, scopes) {
      scope.end()
      scope.didCommit()
      core.counters.count(works: 1, failures: 0)
    }
    for (store, writer) in writers.enumerated() {
      if unfinished.contains(store) {
        sessions[store].withdraw()
      } else {
        sessions[store].takeChanges(of: writer)
        sessions[store].publish()
      }
    }
    if let first = unfinished.first {
      throw FiefError(
        .unfinishedWrite,
        "The write to several stores is decided, but one of the stores does not have its part yet.",
        store: cores[first].name,
        details: unfinished.map { "\(cores[$0].name) receives it when it is next written to or opened" },
        underlying: unfinishedReasons[first]
      )
    }
    guard let value else { throw StoreCore.closedError(cores[0].name) }
    return value
  }

  /// Returns the error of a write for which it is unknown whether the decision was made.
  func leaveUndecided() -> any Error {
    for session in sessions {
      // The next write of this process reads the markers, which are still there.
      session.core.schemaGuard.expectMarkers()
      session.failed()
    }
    return FiefError(
      .unknownOutcome,
      "The outcome of the write to several stores is unknown: either all stores receive the write or no store does.",
      store: cores[0].name,
      details: cores.dropFirst().map { "\($0.name) is settled when it is next written to or opened" },
      underlying: (failure as? FiefError)?.underlying ?? failure
    )
  }

  func drop() -> any Error {
    for session in sessions { session.failed() }
    return failure
      ?? FiefError(.storage, "The write to several stores was retried too often.", store: cores[0].name)
  }
}
