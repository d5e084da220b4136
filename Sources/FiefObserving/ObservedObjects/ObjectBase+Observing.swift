import FiefCore

/// An object that can be observed. Every `Object` conforms. An `EmbeddedObject` does not, because it is part
/// of its owner.
public protocol ObservableObjectBase: ObjectBase, ObservableInstance where _Observed: ObservableObjectBase {}

extension Object: ObservableObjectBase {
  /// An object is observed itself.
  public typealias _Observed = Object
}

extension ObservableObjectBase {
  /// Returns the observation of the object in the store.
  public func _observation<Instance>(
    _ watched: _WatchedPaths,
    of type: Instance.Type
  ) -> _Observation<ObjectChange<Instance>> {
    let observed = ObservedObject(self, watched)
    return _Observation { executor, onEnd, handler in
      observed.observe(executor, onEnd: onEnd) { handler($0.cast(to: Instance.self)) }
    }
  }
}

/// The location and the watched paths of an observed object.
package struct ObservedObject<Element: ObjectBase>: Sendable {
  private let place: Result<(store: StoreCore, key: ObjectKey, type: String), any Error>
  private let watched: _WatchedPaths
  /// The types declared by the handle through which the object was read.
  private let visible: VisibleTypes?

  package init(_ object: Element, _ watched: _WatchedPaths) {
    self.watched = watched
    visible = object._context?.visible
    place = Result {
      if let store = object._context?.store, store.isClosed { throw StoreCore.closedError(store.name) }
      if object._context?.isFrozen == true { throw FrozenOrigin.unobservable(Element.self) }
      guard let store = object._context?.store, let key = try object.key(in: store) else {
        throw FiefError(
          .objectNotFound,
          "The object cannot be observed because it does not belong to a store.",
          store: object._context?.store?.name,
          type: Element.className()
        )
      }
      return (store, key, try store.binding(of: Element.self).table.name)
    }
  }

  /// Returns the object in the newest state, or `nil` if it cannot be read. A failed read is reported to the
  /// event handler.
  func newest() -> Element? {
    // The observation itself reports why the location is missing.
    guard case .success(let (store, key, type)) = place else { return nil }
    do {
      return try store.read { transaction in
        let binding = try store.binding(of: Element.self)
        return try key.bytes.withUnsafeBytes {
          let context = ObjectContext(store: store, visible: visible)
          return try store.load(binding, key: $0, from: transaction, context: context)?.cast(to: Element.self)
        }
      }
    } catch {
      store.report(error, type: type, property: nil)
      return nil
    }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  func observe(
    _ executor: ObservationExecutor,
    onEnd: @escaping @Sendable () -> Void = {},
    _ handler: @escaping @Sendable (ObjectChange<Element>) -> Void
  ) -> NotificationToken {
    observe(
      executor,
      onEnd: onEnd,
      make: { [visible] in try ObjectChange.make($0, of: $1, as: Element.self, in: $2.seeing(visible)) },
      handler
    )
  }

  /// Begins an observation of a value that is computed from the object. If that fails, the handler receives
  /// the error.
  package func observe<Made>(
    _ executor: ObservationExecutor,
    onEnd: @escaping @Sendable () -> Void = {},
    make: @escaping ObjectObservation<Made>.Maker,
    _ handler: @escaping @Sendable (ObjectChange<Made>) -> Void
  ) -> NotificationToken {
    do {
      let (store, key, type) = try place.get()
      let follower = try ObjectFollower(
        key,
        ofType: type,
        watched: try watched.paths.get(),
        followsLinks: store.observesLinkedObjects,
        tables: store.tables,
        names: store.queryNames
      )
      let observation = ObjectObservation(executor, follower, onEnd: onEnd, make: make, handler)
      return try store.hub.add(observation, of: store) { scope in
        try observation.start(at: scope.state)
        let exists = try key.bytes.withUnsafeBytes {
          try store.contains(follower.table, key: $0, in: scope.state.transaction)
        }
        guard exists else {
          throw FiefError(
            .objectNotFound,
            "The object cannot be observed because it is not in the store.",
            store: store.name,
            type: type,
            key: follower.table.text(ofKey: key.bytes)
          )
        }
      }
    } catch {
      return executor.enqueueOnce {
        handler(.error(error))
        onEnd()
      }
    }
  }
}
