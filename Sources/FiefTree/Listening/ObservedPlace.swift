import Fief

/// The place and the children of an observation.
struct ObservedPlace: Sendable {
  let query: TreeQuery
  /// Whether the place itself is observed, which may have a value without children.
  let isWhole: Bool

  var reference: TreeReference { query.reference }

  /// Begins an observation. If that fails, the error is reported like an error that ends the observation.
  func observe(
    _ events: TreeEvents,
    _ executor: ObservationExecutor,
    _ onError: (@Sendable (FiefError) -> Void)?,
    _ handler: @escaping @Sendable (TreeEvent) -> Void
  ) -> NotificationToken {
    let fail: @Sendable (any Error) -> Void = { [reference] error in
      guard let onError else {
        return reference.tree.origin.repository.store().report(error, type: TreeLayout.nodeType)
      }
      onError(error as? FiefError ?? FiefError(.storage, "A tree cannot be observed.", underlying: error))
    }
    do {
      let core = try openStore()
      let observation = TreeObservation(executor, self, events, core) {
        if let error = $0 { fail(error) }
      } _: {
        handler($0)
      }
      return add(observation, of: core)
    } catch {
      return executor.enqueueOnce { fail(error) }
    }
  }

  func events(_ events: TreeEvents, every interval: Duration?) -> ChangeSequence<TreeEvent> {
    ChangeSequence { gate, take in
      let core = try openStore()
      let observation = TreeObservation(.pull(gate).every(interval), self, events, core) { error in
        if let error { take(.failure(error)) } else { gate.end() }
      } _: {
        take(.success($0))
      }
      return add(observation, of: core)
    }
  }

  private func add(_ observation: TreeObservation, of core: StoreCore) -> NotificationToken {
    guard let client = reference.client else { return core.hub.add(observation, of: core) }
    let path = query.selection.group == nil ? reference.location : nil
    return client.add(observation, of: path, in: core)
  }

  /// Returns the open store.
  ///
  /// - Throws: `FiefError`, of code `unknownType` if the repository does not declare the classes of a tree.
  private func openStore() throws -> StoreCore {
    let (store, core) = try reference.tree.origin.store()
    do { try store.visible?.check(JSONTreeNode.self, in: core) } catch {
      throw TreeNodes.unknownType(core.name)
    }
    return core
  }

  /// The error of a wait for an event that will not come.
  var endedError: FiefError {
    Task.isCancelled
      ? FiefError(.cancelled, "The task was cancelled while it waited for an event of a tree.")
      : FiefError(.storeClosed, "The store was closed before there was an event of a tree.")
  }
}
