import Fief

extension ObservableCollection {
  /// Calls a handler where the caller runs with the collection, and then with its changes, until the token ends.
  ///
  /// ```swift
  /// token = dogs.observe { [weak self] change in self?.reload() }
  /// ```
  /// The handler is called on the actor of the caller. Outside of any actor it is called on the main queue if the caller is on the
  /// main thread, and on a thread of the library's own otherwise; it must not use then what other threads use, which
  /// `{ @Sendable change in … }` lets the compiler check. A list, a set or a map that is observed shows in the handler the state
  /// that the change is about, with the object that has it.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`; nil for all properties, also of linked objects.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (LocalHandler(handler), HeldCollection(self, isolation))
    return _observed(_WatchedPaths(keyPaths)).observe(.caller(isolation).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the collection, and then with its changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`; nil for all properties, also of linked objects.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (MainHandler(handler), HeldCollection(self, nil))
    return _observed(_WatchedPaths(keyPaths)).observe(.actor(MainActor.shared).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }
}

extension ObservableCollection where ObservedElement: ObjectBase {
  /// Calls a handler where the caller runs with the collection, and then with its changes; only the values of
  /// some properties of the elements count as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (LocalHandler(handler), HeldCollection(self, isolation))
    return _observed(_WatchedPaths(keyPaths)).observe(.caller(isolation).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }

  /// Calls a handler on the main actor with the collection, and then with its changes; only the values of
  /// some properties of the elements count as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    let (handler, held) = (MainHandler(handler), HeldCollection(self, nil))
    return _observed(_WatchedPaths(keyPaths)).observe(.actor(MainActor.shared).every(interval)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }
}

/// A list, a set or a map that is observed; nothing for other collections, which are read when they are used.
struct HeldCollection: Sendable {
  private let instance: HeldInstance?

  /// - Parameter isolation: the caller's.
  init(_ collection: Any, _ isolation: (any Actor)?) {
    instance = Self.owned(collection).flatMap { HeldInstance.ofCaller($0, isolation) }
  }

  private static func owned(_ collection: Any) -> _OwnedCollection? {
    ((collection as? any HidingCollection)?.hidden ?? collection) as? _OwnedCollection
  }

  /// Brings the collection to the state of a change.
  func refresh<Collection>(for change: RealmCollectionChange<Collection>) {
    switch change {
    case .initial(let shown), .update(let shown, _, _, _): refresh(like: shown)
    case .error: break
    }
  }

  func refresh(like shown: Any) {
    if let shown = Self.owned(shown) { instance?.refresh(like: shown) }
  }
}
