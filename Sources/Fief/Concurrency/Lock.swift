/// A mutual-exclusion lock around a value, as an instance that closures and tasks can share.
package final class Lock<State>: Sendable {
  private let owned: OwnedLock<State>

  package init(_ state: State) { owned = OwnedLock(state) }

  @inline(__always)
  package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    try owned.withLock(body)
  }
}
