import CLMDB
import Synchronization

/// The owner of a read that stays open between uses.
package protocol LoopReadOwner: AnyObject, Sendable {
  /// Copies the data that the owner still needs from the read, and ends the read. Any thread may call it, and
  /// it does not block.
  ///
  /// An owner that is in use calls this at the end of the use if ``Environment/isGateShut`` is then `true`.
  func endKeptRead()
}

/// The reads of an environment that stay open between uses.
///
/// No code runs in them between two uses. Therefore the environment can end them before the map moves and
/// before it closes. Reads that have lasted too long can also be ended.
package final class LoopReads: Sendable {
  private struct Entry {
    weak var owner: (any LoopReadOwner)?
    let begun: Int64
  }

  private let entries = OwnedLock<[ObjectIdentifier: Entry]>([:])

  var count: Int { entries.withLock { $0.count } }

  func add(_ owner: any LoopReadOwner) {
    entries.withLock { $0[ObjectIdentifier(owner)] = Entry(owner: owner, begun: monotonicNanoseconds()) }
  }

  func remove(_ owner: any LoopReadOwner) {
    _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(owner)) }
  }

  /// Ends the reads that began before a time.
  ///
  /// - Parameter time: Nanoseconds of the monotonic clock.
  private func end(before time: Int64) {
    // The lock of an owner is never acquired while this lock is held.
    let owners = entries.withLock { $0.values.compactMap { $0.begun < time ? $0.owner : nil } }
    for owner in owners { owner.endKeptRead() }
  }

  /// Ends all reads.
  func endAll() { end(before: .max) }

  /// Ends the reads that have lasted longer than a number of nanoseconds.
  ///
  /// - Returns: Whether other reads are left.
  package func end(olderThan age: Int64) -> Bool {
    end(before: monotonicNanoseconds() - age)
    return count > 0
  }
}

extension Environment {
  /// Whether new reads wait, because the map is about to move or the environment to close.
  package var isGateShut: Bool { readers.isGateShut }

  /// Begins a read of the newest commit that lasts until its owner ends it. The calling thread must be in
  /// another read.
  ///
  /// - Returns: `nil` if no more reads can be kept, or if the map is about to move.
  package func keepRead(for owner: any LoopReadOwner) -> ReadTransaction? {
    guard !isReadWithoutLocks, isSameProcess, keptReads.count < readers.capacity / 4,
      let index = try? readers.claim()
    else { return nil }
    let slot = readers.slots + index
    guard renew(slot) == MDB_SUCCESS, let handle = slot.pointee.handle else {
      release(index)
      return nil
    }
    // A thread with a kept read does not count as reading.
    slot.pointee.owner.store(0, ordering: .relaxed)
    let transaction = ReadTransaction(environment: self, handle: handle, slot: index)
    transaction.noteOrigin("a loop over results")
    keptReads.add(owner)
    // A thread that shuts the gate ends the kept reads afterwards. Either it finds this read, or this thread
    // finds the gate shut.
    guard !readers.isGateShut else {
      endKept(transaction, of: owner)
      return nil
    }
    return transaction
  }

  fileprivate func endKept(_ transaction: ReadTransaction, of owner: any LoopReadOwner) {
    keptReads.remove(owner)
    endRead(transaction)
  }
}

extension ReadTransaction {
  /// Ends a read that was kept for an owner.
  package func endKept(of owner: any LoopReadOwner) { environment.endKept(self, of: owner) }
}
