import LMDB

/// Row ids that a save has taken from a block which the write reserves that it was called in.
///
/// The save is left to the queue, and its objects are written after the write. The ids belong to the save where the
/// write commits. Where the write is rolled back, its block of ids is too, and others may reserve the same ids: the
/// save reserves them then itself, in its own transaction, and fails if they are given to others. So does every other
/// save of the same objects until one of them was committed.
// SAFETY: `ids` changes only while the save is encoded, before it is left to the queue; `isConfirmed` and `holder` are
// changed and read by the queue's batches and turns, which come one after another.
final class RowIDClaims: @unchecked Sendable {
  private let known: ClaimedRowIDs
  private var ids: [(table: Table, range: ClosedRange<Int64>)] = []
  private var isConfirmed = false
  /// The number of the transaction in which a save has reserved them and was performed.
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

  /// The write that has reserved them was committed, or a save that did.
  func confirm() {
    guard !isConfirmed else { return }
    isConfirmed = true
    forget()
  }

  private func forget() { for (table, range) in ids { known.remove(range, ofType: table.entry.id) } }

  /// Reserves the ids that are not reserved; the transaction is that of a save of the objects.
  ///
  /// - Throws: ``FiefError`` of code `storage` where ids were given to others.
  func reserve(_ writer: RecordWriter) throws {
    if isConfirmed { return }
    let isHeld = holder == writer.transaction.id
    // A transaction that is run again has not reserved the ids of its former run.
    holder = nil
    for (table, range) in ids {
      let isReserved = try writer.reserveRowIDs(from: range.lowerBound, through: range.upperBound, for: table)
      if !isReserved, isHeld { holder = writer.transaction.id }
      guard isReserved || isHeld else {
        throw FiefError(
          .storage,
          "The write that the save was called in was undone, and the row ids of its objects were given to others since.",
          type: table.name,
          details: ["save the objects again"]
        )
      }
    }
  }

  /// A save that has reserved them was performed in a transaction.
  func hold(in writer: RecordWriter) { if !isConfirmed { holder = writer.transaction.id } }
}
