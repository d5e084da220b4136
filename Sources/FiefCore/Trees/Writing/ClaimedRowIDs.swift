import LMDB

/// The row ids that saves have claimed in a store and that no commit has confirmed yet.
///
/// If another save writes such an object, it uses the same id and depends on the same claims.
final class ClaimedRowIDs: Sendable {
  private struct ID: Hashable {
    let type: UInt32
    let id: Int64
  }

  private struct Claims: @unchecked Sendable {
    // SAFETY: the weak reference is read and written only while the lock is held.
    weak var claims: RowIDClaims?
  }

  private let claims = OwnedLock<[ID: Claims]>([:])

  func add(_ claim: RowIDClaims, _ id: Int64, ofType type: UInt32) {
    claims.withLock { $0[ID(type: type, id: id)] = Claims(claims: claim) }
  }

  var isEmpty: Bool { claims.withLock { $0.isEmpty } }

  /// Returns the claim on a row id, or `nil` if the id is not claimed.
  func claim(on id: Int64, ofType type: UInt32) -> RowIDClaims? {
    claims.withLock { $0[ID(type: type, id: id)]?.claims }
  }

  func remove(_ ids: ClosedRange<Int64>, ofType type: UInt32) {
    claims.withLock { claims in for id in ids { claims[ID(type: type, id: id)] = nil } }
  }
}
