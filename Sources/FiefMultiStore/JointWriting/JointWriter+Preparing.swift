import FiefCore
import Foundation
import LMDB

/// The steps before the decision.
extension JointWriter {
  func begin(_ store: Int) throws {
    let held = try cores[store].environment.beginWrite()
    self.held[store] = held
    try checkRows(store, held.transaction, isMarked: store > 0)
    if store > 0 { held.transaction.recordChanges() }
  }

  /// - Throws: an error if the schema has changed, or ``ForeignMarker`` if the markers are not those left by
  ///   this write.
  private func checkRows(_ store: Int, _ transaction: LMDB.WritableTransaction, isMarked: Bool) throws {
    try sessions[store].checkSchema(transaction)
    let own = try JointRows.rows(JointRows.markers, sides[store].tree, in: transaction)
    if own.contains(where: { $0.id != id }) || (isMarked && own.isEmpty) { throw ForeignMarker(store: store) }
  }

  func mark(_ store: Int) throws {
    let (side, core) = (sides[store], cores[store])
    // Every write of this process checks for the marker until it is removed.
    core.schemaGuard.expectMarkers()
    let row = JointRows.Row(
      id: id,
      participant: UInt16(store),
      other: sides[0].asOther(seenFrom: side),
      time: begun,
      pieces: 0
    )
    var number: UInt64?
    try core.environment.write { transaction in
      number = nil
      try checkRows(store, transaction, isMarked: false)
      let key = JointRows.markerKey(id)
      if try key.withUnsafeBytes({ try transaction.get(side.tree, $0) != nil }) { return }
      try JointRows.put(row, key: key, side.tree, in: transaction)
      number = transaction.id
    }
    if let number { sessions[store].add(number) }
    try core.environment.syncIfRelaxed()
  }

  func runBody() throws -> [Bool] {
    let held = held.compactMap { $0 }
    writers = zip(sessions, held).map { $0.writer($1.transaction) }
    scopes = zip(cores, writers).map {
      WriteTransaction(store: $0, writer: $1).seeing(visible[ObjectIdentifier($0)])
    }
    value = try WritingThreads.run(cores.map(\.name), scopes) {
      try withActive(0) { try body(MultiStoreTransaction(scopes)) }
    }
    for scope in scopes { try scope.finish() }
    // The closure may have swallowed an error.
    if let store = held.firstIndex(where: { $0.needsGrowth || $0.hasFailed }) {
      throw LMDBError(.mapFull, path: cores[store].environment.directory)
    }
    let changed = held.map(\.transaction.isChanged)
    for store in held.indices.dropFirst() {
      try JointRows.delete(JointRows.markerKey(id), sides[store].tree, in: held[store].transaction)
    }
    return changed
  }

  private func withActive<Result>(_ store: Int, _ body: () throws -> Result) throws -> Result {
    guard store < cores.count else { return try body() }
    return try cores[store].active.with(scopes[store]) { try withActive(store + 1, body) }
  }

  func journal(_ store: Int) throws {
    guard let participant = held[store]?.transaction, let coordinator = held[0]?.transaction else { return }
    let number = UInt16(store)
    let pieces = try JointJournal.write(changesOf: participant, to: coordinator, sides[0].tree) { piece in
      JointRows.pieceKey(id, number, piece)
    }
    let row = JointRows.Row(
      id: id,
      participant: number,
      other: sides[store].asOther(seenFrom: sides[0]),
      time: begun,
      pieces: pieces
    )
    try JointRows.put(row, key: JointRows.headKey(id, number), sides[0].tree, in: coordinator)
  }

  func abort(growing: Int?) throws {
    scopes.forEach { $0.rollBack() }
    scopes = []
    defer { held = cores.map { _ in nil } }
    for store in held.indices where store != growing {
      guard let cause = held[store]?.abortReportingFailure() else { continue }
      failure = cores[store].described(cause)
    }
    guard let growing else { return }
    do { try held[growing]?.abortAndGrow() } catch {
      failure = cores[growing].described(error)
      throw error
    }
  }

  func unmark(_ store: Int) throws {
    try cores[store].environment.write { transaction in
      try JointRows.delete(JointRows.markerKey(id), sides[store].tree, in: transaction)
    }
  }
}
