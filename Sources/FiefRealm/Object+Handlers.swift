import Fief

extension ObservableObjectBase {
  /// Calls a handler in the caller's isolation with the changes of the object in the store, until the token
  /// ends.
  ///
  /// The place of the call is the same as for collections. In the handler, the observed instance has the
  /// values of the change, unless it has unsaved assignments.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`; nil for all properties of the
  ///     object itself.
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
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the changes of the object in the store, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`; nil for all properties of the
  ///     object itself.
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
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  /// Calls a handler in the caller's isolation with the changes of some properties of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties, through at most four links.
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
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the changes of some properties of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties, through at most four links.
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
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  private func local(_ watched: _WatchedPaths) -> LocalObservation<ObjectChange<Self>> {
    LocalObservation(
      of: self,
      shown: { if case .change(let shown, _) = $0 { shown } else { nil } },
      begin: { self.observe(watched, $0, $1) }
    )
  }
}
