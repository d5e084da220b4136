import Fief

extension ObservableObjectBase {
  /// Calls a handler where the caller runs with the changes of the object in the store, until the token ends.
  ///
  /// The handler is called as the handler of a collection is. In it the observed instance has the values of the change, unless it has
  /// unsaved assignments.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`; nil for all properties of the object itself.
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
    let (handler, held) = (LocalHandler(handler), HeldInstance.ofCaller(self, isolation))
    return observe(_WatchedPaths(keyPaths), .caller(isolation).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown) }
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the changes of the object in the store, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`; nil for all properties of the object itself.
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
    let (handler, held) = (MainHandler(handler), HeldInstance.ofCaller(self, nil))
    return observe(_WatchedPaths(keyPaths), .actor(MainActor.shared).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown) }
      handler.call(change)
    }
  }

  /// Calls a handler where the caller runs with the changes of some properties of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
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
    let (handler, held) = (LocalHandler(handler), HeldInstance.ofCaller(self, isolation))
    return observe(_WatchedPaths(keyPaths), .caller(isolation).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown) }
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the changes of some properties of the object.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
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
    let (handler, held) = (MainHandler(handler), HeldInstance.ofCaller(self, nil))
    return observe(_WatchedPaths(keyPaths), .actor(MainActor.shared).every(interval)) { change in
      if case .change(let shown, _) = change { held?.refresh(like: shown) }
      handler.call(change)
    }
  }
}
