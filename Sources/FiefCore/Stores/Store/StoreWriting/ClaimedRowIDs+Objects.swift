extension ClaimedRowIDs {
  /// Returns the claims on the ids of objects, each claim once.
  func claims(on objects: [ObjectBase], in store: StoreCore) throws -> [RowIDClaims] {
    guard !objects.isEmpty, !isEmpty else { return [] }
    var found: [RowIDClaims] = []
    for object in objects {
      let type = try store.binding(of: Swift.type(of: object)).table.entry.id
      guard let claim = claim(on: object._rowID, ofType: type), !found.contains(where: { $0 === claim })
      else { continue }
      found.append(claim)
    }
    return found
  }
}
