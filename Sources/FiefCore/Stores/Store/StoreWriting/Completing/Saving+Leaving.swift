/// Saves whose callers do not wait.
extension Saving {
  /// Encodes objects for a save whose caller does not wait.
  ///
  /// - Parameter isCallersPlace: whether the outcome is received in the caller's isolation. If so, the
  ///   objects are marked as belonging to the store there, after the commit. Otherwise the outcome is
  ///   received on another thread, which must not access objects that their owner may be using. The objects
  ///   are then marked immediately, and only a failure undoes this.
  static func left(
    _ objects: [Object],
    _ options: SaveOptions,
    isCallersPlace: Bool,
    in core: StoreCore
  ) throws -> DetachedWrite {
    let given = ProvisionalRowIDs()
    do {
      let graph = try graphReserving(
        objects,
        options,
        given,
        marksAtOnce: !isCallersPlace,
        isUrgent: true,
        in: core
      )
      guard !graph.changes.isEmpty else { return DetachedWrite() }
      graph.holdObjects()
      if isCallersPlace { graph.markAsSaving() } else { graph.markPartsAtOnce() }
      graph.context?.isAwaitingSave = true
      let finish = { (isSaved: Bool) in
        switch (isSaved, isCallersPlace) {
        case (true, true):
          given.confirm()
          graph.markAsSaved()
        // The handler is on another thread. The ids stay in use, so that they are not taken back.
        case (true, false): graph.noteCommit()
        case (false, true): graph.markAsNotSaved()
        case (false, false): graph.unmarkWithParts()
        }
        if !isSaved { given.takeBack() } else if isCallersPlace { graph.readDerived() }
      }
      return DetachedWrite(work: .changes(graph.changes), bytes: graph.changes.bytes.count, finish: finish)
    } catch {
      given.takeBack()
      throw error
    }
  }

  static func left(deleting changes: PreparedChanges) -> DetachedWrite {
    DetachedWrite(work: .changes(changes), bytes: changes.bytes.count)
  }
}
