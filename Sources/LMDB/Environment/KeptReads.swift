import CLMDB
import Synchronization

/// The owner of a read that lasts from one use to the next.
package protocol KeptReadOwner: AnyObject, Sendable {
  /// Takes the data that the owner still needs from the read, and ends the read. Any thread may call it, and no thread waits here.
  ///
  /// An owner that is in use does this at the end of the use if ``Environment/isGateShut`` then.
  func endKeptRead()
}

/// The reads of an environment that last from one use to the next.
///
/// No code runs in them between two uses. So the environment has them ended before the map moves and before it closes; what
/// keeps one for long can be ended too.
package final class KeptReads: Sendable {
  private struct Entry {
    weak var owner: (any KeptReadOwner)?
    let begun: Int64
  }

  private let entries = OwnedLock<[ObjectIdentifier: Entry]>([:])

  var count: Int { entries.withLock { $0.count } }

  func add(_ owner: any KeptReadOwner) {
    entries.withLock { $0[ObjectIdentifier(owner)] = Entry(owner: owner, begun: monotonicNanoseconds()) }
  }

  func remove(_ owner: any KeptReadOwner) {
    _ = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(owner)) }
  }

  /// Ends the reads that began before a time.
  ///
  /// - Parameter time: nanoseconds of the monotonic clock.
  private func end(before time: Int64) {
    // The lock of an owner is never taken under this one.
    let owners = entries.withLock { $0.values.compactMap { $0.begun < time ? $0.owner : nil } }
    for owner in owners { owner.endKeptRead() }
  }

  /// Ends all reads.
  func endAll() { end(before: .max) }

  /// Ends the reads that have lasted longer than some nanoseconds.
  ///
  /// - Returns: whether others are left.
  package func end(olderThan age: Int64) -> Bool {
    end(before: monotonicNanoseconds() - age)
    return count > 0
  }
}

extension Environment {
  /// Whether new reads wait, since the map is about to move or the environment to close.
  package var isGateShut: Bool { readers.isGateShut }

  /// Begins a read of the newest commit that lasts until its owner ends it. The calling thread is in another read.
  ///
  /// - Returns: nil if no more reads can be kept, or if the map is about to move.
  package func keepRead(for owner: any KeptReadOwner) -> ReadTransaction? {
    guard !isReadWithoutLocks, isSameProcess, keptReads.count < readers.capacity / 4,
      let index = try? readers.claim()
    else { return nil }
    let slot = readers.slots + index
    guard renew(slot) == MDB_SUCCESS, let handle = slot.pointee.handle else {
      release(index)
      return nil
    }
    // A thread that has a kept read is not reading.
    slot.pointee.owner.store(0, ordering: .relaxed)
    let transaction = ReadTransaction(environment: self, handle: handle, slot: index)
    transaction.noteOrigin("a loop over results")
    keptReads.add(owner)
    // A thread that shuts the gate ends the kept reads after that: either it finds this one, or this thread finds the gate shut.
    guard !readers.isGateShut else {
      endKept(transaction, of: owner)
      return nil
    }
    return transaction
  }

  fileprivate func endKept(_ transaction: ReadTransaction, of owner: any KeptReadOwner) {
    keptReads.remove(owner)
    endRead(transaction)
  }
}

extension ReadTransaction {
  /// Ends a read that was kept for an owner.
  package func endKept(of owner: any KeptReadOwner) { environment.endKept(self, of: owner) }
}

extension Transaction {
  /// Checks what was read so far.
  ///
  /// - Throws: `damaged` if a page was not as it should be.
  package final func checkDamage() throws(LMDBError) { if damagedPage != 0 { throw damageError() } }
}
