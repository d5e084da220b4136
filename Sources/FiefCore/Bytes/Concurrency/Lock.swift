import LMDB

/// A mutual-exclusion lock around a value, for what can have it in itself.
package typealias OwnedLock<State> = LMDB.OwnedLock<State>

/// A mutual-exclusion lock around a value, as an instance that closures and tasks can share.
///
/// The runtime has to make its class for each type of state, which takes it some microseconds when the first store is
/// opened: what can have the lock in itself has an ``OwnedLock``.
package final class Lock<State>: Sendable {
  private let owned: OwnedLock<State>

  package init(_ state: State) { owned = OwnedLock(state) }

  @inline(__always)
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    try owned.withLock(body)
  }
}
