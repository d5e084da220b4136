import LMDB

/// A mutual-exclusion lock around a value, for types that can store the lock inline.
package typealias OwnedLock<State> = LMDB.OwnedLock<State>

/// A mutual-exclusion lock around a value, as an instance that closures and tasks can share.
///
/// The runtime instantiates the class for each type of state, which takes some microseconds when the first
/// store is opened. Types that can store the lock inline use an ``OwnedLock``.
package final class Lock<State>: Sendable {
  private let owned: OwnedLock<State>

  package init(_ state: State) { owned = OwnedLock(state) }

  @inline(__always)
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    try owned.withLock(body)
  }
}
