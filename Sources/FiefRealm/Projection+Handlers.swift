import Fief

extension ProjectionObservable where Root: ObservableObjectBase {
  /// Calls a handler in the caller's isolation with the changes of the projected object, until the token is
  /// invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection or of its object, or `nil` for all properties of the
  ///     projection.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(keyPaths).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the changes of the projected object, until the token is
  /// invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection or of its object, or `nil` for all properties of the
  ///     projection.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(keyPaths).observeOnMain(every: interval, handler)
  }

  /// Calls a handler in the caller's isolation with the changes of some properties of the projection.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties of the projection.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(ProjectionSchema.names(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the changes of some properties of the projection.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties of the projection.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(ProjectionSchema.names(keyPaths)).observeOnMain(every: interval, handler)
  }

  private func local(_ names: [String]?) -> LocalObservation<ObjectChange<Self>> {
    LocalObservation(
      of: rootObject,
      shown: { if case .change(let shown, _) = $0 { shown.rootObject } else { nil } },
      begin: { self.observe(names, $0, $1) }
    )
  }
}
