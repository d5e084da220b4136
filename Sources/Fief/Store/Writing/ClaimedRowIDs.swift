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

  func remove(_ ids: ClosedRange<Int64>, ofType type: UInt32) {
    claims.withLock { claims in for id in ids { claims[ID(type: type, id: id)] = nil } }
  }

  /// The claims on the ids of objects, each once.
  func claims(on objects: [ObjectBase], in store: StoreCore) throws -> [RowIDClaims] {
    guard !objects.isEmpty, claims.withLock({ !$0.isEmpty }) else { return [] }
    var found: [RowIDClaims] = []
    for object in objects {
      let type = try store.binding(of: Swift.type(of: object)).table.entry.id
      let id = ID(type: type, id: object._rowID)
      guard let claim = claims.withLock({ $0[id]?.claims }), !found.contains(where: { $0 === claim }) else {
        continue
      }
      found.append(claim)
    }
    return found
  }
}
