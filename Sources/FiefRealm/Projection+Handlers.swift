import Fief

extension ProjectionObservable where Root: ObservableObjectBase {
  /// Calls a handler where the caller runs with the changes of the projected object, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection, or of the properties that they are projected from; nil for all.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (LocalHandler(handler), HeldInstance.ofCaller(rootObject, isolation))
    return observe(keyPaths, .caller(isolation).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown.rootObject) }
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the changes of the projected object, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection, or of the properties that they are projected from; nil for all.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (MainHandler(handler), HeldInstance.ofCaller(rootObject, nil))
    return observe(keyPaths, .actor(MainActor.shared).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown.rootObject) }
      handler.call(change)
    }
  }

  /// Calls a handler where the caller runs with the changes of some properties of the projection.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties of the projection.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (LocalHandler(handler), HeldInstance.ofCaller(rootObject, isolation))
    return observe(ProjectionSchema.names(keyPaths), .caller(isolation).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown.rootObject) }
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the changes of some properties of the projection.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties of the projection.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (MainHandler(handler), HeldInstance.ofCaller(rootObject, nil))
    return observe(ProjectionSchema.names(keyPaths), .actor(MainActor.shared).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown.rootObject) }
      handler.call(change)
    }
  }
}

extension ProjectedResults {
  /// Calls a handler where the caller runs with the projections, and then with their changes; only some of
  /// their properties count as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties of the projections.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmCollectionChange<ProjectedResults>) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler(handler)
    return _observed(_WatchedPaths(ProjectionSchema.names(keyPaths))).observe(
      .caller(isolation).every(interval)
    ) {
      handler.call($0)
    }
  }

  /// Calls a handler on the main actor with the projections, and then with their changes; only some of
  /// their properties count as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties of the projections.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmCollectionChange<ProjectedResults>) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    return _observed(_WatchedPaths(ProjectionSchema.names(keyPaths))).observe(
      .actor(MainActor.shared).every(interval)
    ) {
      handler.call($0)
    }
  }
}
