import LMDB

/// The row ids of a store that saves have claimed, as long as no commit has confirmed them.
///
/// A further save of such an object uses the same id, and so depends on the same claims.
final class ClaimedRowIDs: Sendable {
  private struct ID: Hashable {
    let type: UInt32
    let id: Int64
  }

  private struct Claims: @unchecked Sendable {
    // SAFETY: a weak reference is read and written under the lock only.
    weak var claims: RowIDClaims?
  }

  private let claims = OwnedLock<[ID: Claims]>([:])

  func add(_ claim: RowIDClaims, _ id: Int64, ofType type: UInt32) {
    claims.withLock { $0[ID(type: type, id: id)] = Claims(claims: claim) }
  }

  var isEmpty: Bool { claims.withLock { $0.isEmpty } }

  /// The claim on a row id; nil where there is none.
  func claim(on id: Int64, ofType type: UInt32) -> RowIDClaims? {
    claims.withLock { $0[ID(type: type, id: id)]?.claims }
  }

  func remove(_ ids: ClosedRange<Int64>, ofType type: UInt32) {
    claims.withLock { claims in for id in ids { claims[ID(type: type, id: id)] = nil } }
  }
}
