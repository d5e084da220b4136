import Foundation
import LMDB

/// Completes or drops the unfinished parts of a write to several stores.
///
/// The coordinator is locked before the participant, as the writer itself does: who holds the coordinator knows
/// that no writer is between its marker and its decision.
package enum JointRecovery {
  /// Completes or drops the prepared parts in a store: in the order of the markers, each by the decision of
  /// its coordinator.
  ///
  /// Settles the markers in a participant. It must not be called while the calling thread writes to the store.
  ///
  /// - Throws: ``FiefError`` of code `unfinishedWrite` where a coordinator cannot be opened, or the changes cannot be
  ///   made; the marker stays.
  static func settleMarkers(of participant: JointSide) throws {
    for marker in try participant.rows(JointRows.markers) {
      var isGone = false
      guard let coordinator = try JointSide.opening(marker.other, from: participant, isGone: &isGone) else {
        // The coordinator was in memory, as were all of its decisions.
        if isGone { try drop(marker, of: participant) }
        continue
      }
      defer { coordinator.environment.close() }
      do {
        try JointSteps.tell("recover lock")
        try finish(marker.id, marker.participant, coordinator, participant)
      } catch {
        throw FiefError(
          .unfinishedWrite,
          "A write to several stores is not finished, and could not be finished now.",
          store: participant.name,
          details: ["the store that knows of it: \(coordinator.name)"],
          underlying: error
        )
      }
    }
  }

  /// Does the same for a write that cannot take place before.
  ///
  /// - Throws: ``FiefError`` of code `blockedByUnfinishedWrite`, with what ``settleMarkers(of:)`` has thrown below it.
  package static func settleMarkersForWriting(to participant: JointSide) throws {
    do { try settleMarkers(of: participant) } catch let error as FiefError
      where error.code == .unfinishedWrite
    {
      throw FiefError(
        .blockedByUnfinishedWrite,
        "The write was refused: an earlier write to several stores is not finished in the store.",
        store: participant.name,
        path: error.path,
        details: [error.message] + error.lines,
        underlying: error.underlying
      )
    }
  }

  /// Completes the decisions of a store in other stores, except encrypted ones that are not open: these are completed when they are
  /// opened with their keys.
  ///
  /// - Returns: the errors of those that could not be completed; their journals stay.
  static func settleDecisions(of coordinator: JointSide) throws -> [FiefError] {
    var failures: [FiefError] = []
    for head in try coordinator.rows(JointRows.heads) {
      do {
        var isGone = false
        if let participant = try JointSide.opening(head.other, from: coordinator, isGone: &isGone) {
          defer { participant.environment.close() }
          try JointSteps.tell("recover lock")
          try finish(head.id, head.participant, coordinator, participant)
        } else if isGone {
          try coordinator.environment.write { transaction in
            try JointRows.deleteDecision(head, coordinator.tree, in: transaction)
          }
        }
      } catch is Locked {
        continue
      } catch {
        guard let error = FiefError.described(error, store: coordinator.name) as? FiefError else {
          throw error
        }
        failures.append(error)
      }
    }
    return failures
  }

  /// Completes one write in one participant, or drops it, and removes its rows.
  package static func finish(
    _ id: UUID,
    _ number: UInt16,
    _ coordinator: JointSide,
    _ participant: JointSide
  ) throws {
    try coordinator.environment.write { decision in
      let head = try head(of: id, number, participant.storeID, coordinator.tree, in: decision)
      // The process that has decided may have ended before the decision was on the disk.
      if head != nil { try decision.synchroniseEarlierCommits() }
      try participant.environment.write { transaction in
        let marker = JointRows.markerKey(id)
        let isMarked = try marker.withUnsafeBytes { try transaction.get(participant.tree, $0) != nil }
        // A participant without the marker has finished the write, or is a copy from before it.
        guard isMarked else { return }
        if participant.isLocked { throw Locked() }
        if let head {
          try Catalogue.stored(in: participant.tree, of: transaction)?.checkTrees(in: transaction)
          try JointJournal.replay(pieces: head.pieces, in: transaction) { piece in
            try JointRows.pieceKey(id, number, piece).withUnsafeBytes {
              try decision.get(coordinator.tree, $0)
            }
          }
        }
        try JointRows.delete(marker, participant.tree, in: transaction)
        try JointSteps.tell("recover finish")
      }
      // The journal is removed only when its changes are durable.
      try participant.environment.syncIfRelaxed()
      try JointSteps.tell("recover clean")
      // The journal is kept for the participant, not for a copy of it. The journal of an encrypted coordinator is removed when the
      // coordinator is opened.
      guard let head, !coordinator.isLocked,
        isSamePlace(JointPath.resolved(head.other.path, from: coordinator.directory), participant)
      else { return }
      try JointRows.deleteDecision(head, coordinator.tree, in: decision)
    }
    try JointSteps.tell("recover end")
  }

  private static func head(
    of id: UUID,
    _ number: UInt16,
    _ storeID: UUID,
    _ tree: Database,
    in transaction: LMDB.Transaction
  ) throws -> JointRows.Row? {
    let key = JointRows.headKey(id, number)
    return try key.withUnsafeBytes { key in
      guard let value = try transaction.get(tree, key) else { return nil }
      let row = try JointRows.row(key, value)
      return row.other.storeID == storeID ? row : nil
    }
  }

  private static func drop(_ marker: JointRows.Row, of participant: JointSide) throws {
    try participant.environment.write { transaction in
      try JointRows.delete(JointRows.markerKey(marker.id), participant.tree, in: transaction)
    }
  }

  private static func isSamePlace(_ directory: String, _ side: JointSide) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(directory, &first) == 0, stat(side.directory, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// The participant is encrypted, and its key is not known here: opening it takes its part.
  private struct Locked: Error {}

  static var otherStore: FiefError {
    FiefError(.damagedStore, "The directory has another store than the one that is looked for.")
  }
}
