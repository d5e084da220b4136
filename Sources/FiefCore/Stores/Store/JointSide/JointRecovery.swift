import Foundation
import LMDB

/// The recovery of unfinished writes to several stores, which completes or drops their parts.
///
/// The coordinator is locked before the participant, in the same order as by a writer. A thread that has
/// locked the coordinator therefore knows that no writer is between its marker and its decision.
package enum JointRecovery {
  /// Completes or drops the prepared parts in a participant, in the order of the markers, as their
  /// coordinators decided.
  ///
  /// Do not call it while the calling thread writes to the store.
  ///
  /// - Throws: ``FiefError`` of code `unfinishedWrite` if a coordinator cannot be opened, or if the changes
  ///   cannot be applied. The marker then stays.
  static func settleMarkers(of participant: JointSide) throws {
    for marker in try participant.rows(JointRows.markers) {
      var isGone = false
      guard let coordinator = try JointSide.opening(marker.other, from: participant, isGone: &isGone) else {
        // The coordinator was in memory, so its decisions are lost.
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
          "A write to several stores is not finished and could not be finished now.",
          store: participant.name,
          details: ["the store that decides: \(coordinator.name)"],
          underlying: error
        )
      }
    }
  }

  /// Completes or drops the prepared parts before a write that has to wait for them.
  ///
  /// - Throws: ``FiefError`` of code `blockedByUnfinishedWrite`, with the details of the error of
  ///   ``settleMarkers(of:)``.
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

  /// Completes the decisions of a store in other stores, except in encrypted stores that are not open. In
  /// these stores, the decisions are completed when the stores are opened with their keys.
  ///
  /// - Returns: the errors of the decisions that could not be completed. Their journals stay.
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

  /// Completes or drops one write in one participant, and removes its rows.
  package static func finish(
    _ id: UUID,
    _ number: UInt16,
    _ coordinator: JointSide,
    _ participant: JointSide
  ) throws {
    try coordinator.environment.write { decision in
      let head = try head(of: id, number, participant.storeID, coordinator.tree, in: decision)
      // The process that made the decision may have ended before the decision was on the disk.
      if head != nil { try decision.synchroniseEarlierCommits() }
      try participant.environment.write { transaction in
        let marker = JointRows.markerKey(id)
        let isMarked = try marker.withUnsafeBytes { try transaction.get(participant.tree, $0) != nil }
        // A participant without the marker has completed the write, or is a copy from before the write.
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
      // The journal is removed only after its changes are durable.
      try participant.environment.syncIfRelaxed()
      try JointSteps.tell("recover clean")
      // The journal is for the participant, not for a copy of it. The journal of an encrypted coordinator is
      // removed when the coordinator is opened.
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

  /// Thrown if the participant is encrypted and its key is unknown here. Its part is completed when the
  /// participant is opened.
  private struct Locked: Error {}

  static var otherStore: FiefError {
    FiefError(.damagedStore, "The directory contains a different store than expected.")
  }
}
