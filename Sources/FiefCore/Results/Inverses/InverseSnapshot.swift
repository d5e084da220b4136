/// The contents of an observed inverse, in the state of a change.
///
/// It does not refer to the object of the inverse, so that an observation does not keep this object alive.
struct InverseSnapshot<Element: Object> {
  let results: Results<Element>
  private let owner: (store: StoreCore, table: Table, key: [UInt8])?

  fileprivate init(_ results: Results<Element>, owner: (store: StoreCore, table: Table, key: [UInt8])?) {
    self.results = results
    self.owner = owner
  }

  /// - Throws: ``FiefError`` if the store cannot be read.
  func isOwnerGone() throws -> Bool { try owner.map { try $0.store.isGone($0.key, from: $0.table) } ?? false }
}

extension LinkingObjects {
  /// Returns a closure that creates inverses of the same object with the results of changes. The closure does
  /// not keep the object alive.
  package var shownResults: (Results<Element>) -> LinkingObjects {
    let name = originPropertyName
    var owner: (store: StoreCore, table: Table, key: [UInt8])?
    if let root = (target?.root ?? target) as? Object, let store = root._context?.store,
      let table = try? store.binding(of: Swift.type(of: root)).table,
      let key = try? root.key(in: store)?.bytes
    {
      owner = (store, table, key)
    }
    return { results in
      var inverse = LinkingObjects(originProperty: name)
      inverse.shown = InverseSnapshot(results, owner: owner)
      return inverse
    }
  }

  /// Returns the object at an index in key order. If the index is out of range or the object cannot be read,
  /// returns an object that is not in a store and cannot be saved; the event handler receives the error, and
  /// a write on this thread fails.
  package func objectOrPlaceholder(at index: Int) -> Element {
    if let prefetched = usablePrefetched {
      if prefetched.indices.contains(index) { return prefetched[index] }
      results.reportOutOfBounds(index, count: prefetched.count)
      return Element.standIn()
    }
    if originStore != nil { return results.objectOrPlaceholder(at: index) }
    // An object that was never saved has no store to which errors could be reported.
    do { _ = try results.fetchCount() } catch {
      Misuse.report(
        error as? FiefError ?? FiefError(.objectNotFound, "Nothing links to the object: \(error)")
      )
    }
    return Element.standIn()
  }
}
