/// Walks through large lists and sets in a scope.
extension LargeAccess {
  /// Returns an iterator over the current elements of a list or a set. Changes by a write do not affect it.
  func iterator<Element: RealmCollectionValue>() -> CollectionIterator<Element> {
    let walk: LargeWalk? = attempt(nil) {
      let walk = try LargeWalk(collection)
      writer?.walks.add(walk)
      return walk
    }
    var slots: ElementSlots<Element>?
    var index = 0
    return CollectionIterator([]) {
      if let batch = slots?.batch(from: &index) { return batch }
      return self.attempt(nil) {
        _ = try self.scope.liveTransaction()
        guard let run = try walk?.next() else { return nil }
        let context = self.scope.context
        guard Element._linkType != nil else {
          return try CollectionCoding.elements(Element.self, of: run, context: context).compactMap(\.self)
        }
        index = 0
        slots = try ElementSlots(run.bytes, from: 0, count: run.count, context: context)
        slots?.access = self
        return slots?.batch(from: &index)
      }
    }
  }
}
