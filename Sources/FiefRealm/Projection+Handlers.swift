import Fief

extension ProjectionObservable where Root: ObservableObjectBase {
  /// Calls a handler in the caller's isolation with the changes of the projected object, until the token
  /// ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection or of its object; nil for all properties of the
  ///     projection.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - isolation: the actor on which the handler is called; by default the caller's.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    local(keyPaths).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the changes of the projected object, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection or of its object; nil for all properties of the
  ///     projection.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
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
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - isolation: the actor on which the handler is called; by default the caller's.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
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
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
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
