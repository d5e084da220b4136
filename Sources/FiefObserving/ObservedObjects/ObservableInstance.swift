import Dispatch
import FiefCore

/// An object, or a projection of an object, whose changes can be observed.
public protocol ObservableInstance: _WatchedElement {
  /// The class of the observed object.
  associatedtype _Observed: ObjectBase

  /// Returns the observation of the object in the store.
  ///
  /// - Parameter type: the type of the instance. A class cannot have a requirement with a result of `Self`.
  func _observation<Instance>(
    _ watched: _WatchedPaths,
    of type: Instance.Type
  ) -> _Observation<ObjectChange<Instance>>
}

extension ObservableInstance where _Observed: ObservableObjectBase {
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
  /// The handler is called on the actor of its closure: in code of the main actor on the main actor, and in
  /// code without an actor on a thread of the library.
  ///
  /// The instance that you observe does not change: the handler receives another instance in the new state.
  /// The reported properties are exactly those whose values differ from the last report or, in the first
  /// call, from the newest state when the observation began. A property that was changed and changed back in
  /// the meantime is not reported.
  ///
  /// The handler of a projection receives the names of the projection's properties whose value, or whose path
  /// to the value, has changed. If two properties of the projection begin with the same property of the
  /// object, both are reported. The old value is computed from the object's former state, in the same way as
  /// the new one. It is `nil` if the value comes from a different object or from a collection.
  ///
  /// Writers never wait for the handler: changes that are committed while it runs are combined in the next
  /// call. The handler is not called before something changes, and `.deleted` is the last call. An object
  /// that is created in a `write { }` can be observed after the write.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself. Names joined by
  ///     dots follow links, embedded objects and collections of links, through at most four links. If the
  ///     value of a path has changed, its first property is reported. For a projection the names are
  ///     properties of the projection, or their source properties.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes. It receives an `.error` if the object is not in a store, a key path
  ///     does not exist, or a property of a projection reads nothing persisted.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = IsolatedHandler(handler)
    return observation(keyPaths).observe(handler.executor.every(interval)) { handler.call($0) }
  }

  /// Calls a handler on a queue with the changes of the object in the store; see
  /// `observe(keyPaths:every:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library (never the
  ///     main thread).
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers of the main actor, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the changes of the object in the store.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the actor and the changes.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that converts values, which comes first.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on the main actor with the changes of the object in the store.
  ///
  /// ```swift
  /// token = dog.observe(on: MainActor.shared) { [weak self] change in self?.reload() }
  /// ```
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the object itself.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates the observed object, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
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
    observation(keyPaths).observe(.executor(executor).every(interval), handler)
  }

  /// Returns the changes of the object in the store, for `for await`. The loop ends after the deletion.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`.
  ///   - interval: the minimum time between two changes, or `nil` for no minimum.
  public func changes(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil
  ) -> ChangeSequence<ObjectChange<Self>> {
    observation(keyPaths).changes(every: interval)
  }

  private func observation(_ keyPaths: [String]?) -> _Observation<ObjectChange<Self>> {
    _observation(_WatchedPaths(keyPaths), of: Self.self)
  }
}
