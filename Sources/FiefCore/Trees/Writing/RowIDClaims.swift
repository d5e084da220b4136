import LMDB

/// Row ids that a save has taken from a block that the surrounding write reserves.
///
/// The save is enqueued, and its objects are written after the surrounding write. If the surrounding write
/// commits, the ids belong to the save. If it is rolled back, the reservation of its block is lost, and other
/// saves may reserve the same ids. The save then reserves the ids itself in its own transaction, and fails if
/// they are already in use. The same applies to every other save of the same objects until one of these saves
/// is committed.
// SAFETY: `ids` changes only while the save is encoded, before it is enqueued. Only the queue's batches and
// turns access `isConfirmed` and `holder`, and they run one after another.
final class RowIDClaims: @unchecked Sendable {
  private let known: ClaimedRowIDs
  private var ids: [(table: Table, range: ClosedRange<Int64>)] = []
  private var isConfirmed = false
  /// The number of the transaction in which a save reserved the ids and was performed.
  private var holder: UInt64?

  init(_ known: ClaimedRowIDs) { self.known = known }

  deinit { if !isConfirmed { forget() } }

  func add(_ id: Int64, of table: Table) {
    known.add(self, id, ofType: table.entry.id)
    if let index = ids.firstIndex(where: { $0.table === table }) {
      let range = ids[index].range
      ids[index].range = min(id, range.lowerBound)...max(id, range.upperBound)
    } else {
      ids.append((table, id...id))
    }
  }

  /// Called when a write or a save that has reserved the ids was committed.
  func confirm() {
    guard !isConfirmed else { return }
    isConfirmed = true
    forget()
  }

  private func forget() { for (table, range) in ids { known.remove(range, ofType: table.entry.id) } }

  /// Reserves the ids that are not reserved yet, in the transaction of a save.
  ///
  /// - Throws: ``FiefError`` of code `storage` if ids were given to other objects.
  func reserve(_ writer: RecordWriter) throws {
    if isConfirmed { return }
    let isHeld = holder == writer.transaction.id
    // A repeated transaction has lost the reservations of its previous run.
    holder = nil
    for (table, range) in ids {
      let isReserved = try writer.reserveRowIDs(from: range.lowerBound, through: range.upperBound, for: table)
      if !isReserved, isHeld { holder = writer.transaction.id }
      guard isReserved || isHeld else {
        throw FiefError(
          .storage,
          "The write that called save was rolled back, and its objects' row ids now belong to other objects.",
          type: table.name,
          details: ["save the objects again"]
        )
      }
    }
  }

  /// Called after a save that reserved the ids was performed in a transaction.
  func hold(in writer: RecordWriter) { if !isConfirmed { holder = writer.transaction.id } }
}
