import Dispatch
import FiefCore

/// An object that can be observed. Every `Object` conforms. An `EmbeddedObject` does not, because it is part
/// of its owner.
public protocol ObservableObjectBase: ObjectBase {}

extension Object: ObservableObjectBase {}

extension ObservableObjectBase {
  /// Calls a handler with the changes of the object in the store, until the token is invalidated or released.
  ///
  /// ```swift
  /// let token = dog.observe { change in
  ///   switch change {
  ///   case .change(let dog, let properties): print(dog.name, properties.map(\.name))
  ///   case .deleted: print("gone")
  ///   case .error(let error): print(error)
  ///   }
  /// }
  /// ```
  /// The instance that you observe does not change: the handler receives another instance in the new state.
  /// The reported properties are exactly those whose values differ from the last report or, in the first
  /// call, from the newest state when the observation began. A property that was changed and changed back in
  /// the meantime is not reported.
  ///
  /// Writers never wait for the handler: changes that are committed while it runs are combined in the next
  /// call. The handler is not called before something changes, and `.deleted` is the last call. An object
  /// that is created in a `write { }` can be observed after the write.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself. Names joined by
  ///     dots follow links, embedded objects and collections of links, through at most four links. If the
  ///     value of a path has changed, its first property is reported.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library (never the
  ///     main thread).
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes. It receives an `.error` if the object is not in a store or a key path
  ///     does not exist.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(_WatchedPaths(keyPaths)).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the changes of the object in the store.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the actor and the changes.
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on an executor with the changes of the object in the store.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(_WatchedPaths(keyPaths)).observe(.executor(executor).every(interval), handler)
  }

  /// Calls a handler with the changes of some properties of the object, until the token is invalidated or
  /// released.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(_WatchedPaths(keyPaths)).observe(.queue(queue).every(interval), handler)
  }

  /// Returns the changes of the object in the store, for `for await`. The loop ends after the deletion.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`.
  ///   - interval: the minimum time between two changes, or `nil` for no minimum.
  public func changes(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil
  ) -> ChangeSequence<ObjectChange<Self>> {
    let observed = observed(_WatchedPaths(keyPaths))
    return ChangeSequence { gate, take in
      observed.observe(.pull(gate).every(interval), onEnd: { gate.end() }) { change in
        if case .error(let error) = change { take(.failure(error)) } else { take(.success(change)) }
      }
    }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ watched: _WatchedPaths,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observed(watched).observe(executor, handler)
  }

  func observed(_ watched: _WatchedPaths) -> ObservedObject<Self> { ObservedObject(self, watched) }
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
