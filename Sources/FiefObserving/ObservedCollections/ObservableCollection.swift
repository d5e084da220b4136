import Dispatch
import FiefCore

/// A collection whose changes can be observed, such as results, a list, a set or linking objects.
///
/// Observations follow the stored collection, not the instance in memory, so they also report changes made
/// through other instances and by other processes.
public protocol ObservableCollection {
  /// The type of the elements.
  associatedtype Element
  /// The type of the elements.
  associatedtype ObservedElement = Element
  /// The type of the collection that handlers receive.
  associatedtype ObservedCollection = Self

  /// Returns the store, the follower and the collection for an observation.
  func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<ObservedCollection>
}

/// The paths whose values an observation of the elements follows, or `nil` to follow the whole elements.
public struct _WatchedPaths: Sendable {
  package let paths: Result<[QueryPath]?, any Error>

  package init(paths: Result<[QueryPath]?, any Error>) { self.paths = paths }

  package init(_ keyPaths: [String]?) { paths = .success(keyPaths?.map(QueryPath.init(keyPath:))) }

  package init<Root: ObjectBase>(_ keyPaths: [PartialKeyPath<Root>]) {
    paths = Result { try keyPaths.map { try QueryPath.of($0) } }
  }
}

/// The store, the follower and the collection of an observation, as returned by `_observed(_:)`.
public struct _ObservedCollection<Collection>: Sendable {
  package struct Source {
    package let store: StoreCore
    package let follower: any CollectionFollower
    /// Returns the collection in the state of the follower, read through the scope.
    package let collection: @Sendable (Snapshot, any CollectionFollower) throws -> Collection
    /// Called with the id of the observation after it has begun.
    package var didBegin: (@Sendable (ObservationHub, ObservationMachine.ID) -> Void)?

    package init(
      store: StoreCore,
      follower: any CollectionFollower,
      collection: @escaping @Sendable (Snapshot, any CollectionFollower) throws -> Collection,
      didBegin: (@Sendable (ObservationHub, ObservationMachine.ID) -> Void)? = nil
    ) {
      self.store = store
      self.follower = follower
      self.collection = collection
      self.didBegin = didBegin
    }
  }

  /// Creates the source and the follower of one observation.
  package let source: @Sendable () throws -> Source

  package init(_ source: @escaping @Sendable () throws -> Source) { self.source = source }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ executor: ObservationExecutor,
    onEnd: @escaping @Sendable () -> Void = {},
    _ handler: @escaping @Sendable (RealmCollectionChange<Collection>) -> Void
  ) -> NotificationToken {
    switch Result(catching: source) {
    case .success(let source):
      let observation = CollectionObservation(
        executor,
        source.follower,
        onEnd: onEnd,
        collection: source.collection,
        handler
      )
      let token = source.store.hub.add(observation, of: source.store)
      source.didBegin?(source.store.hub, observation.id)
      return token
    case .failure(let error):
      return executor.enqueueOnce {
        handler(.error(error))
        onEnd()
      }
    }
  }
}

extension ObservableCollection {
  /// Calls a handler with the collection and then with its changes, until the token is invalidated or
  /// released.
  ///
  /// ```swift
  /// let token = dogs.where { $0.age > 3 }.observe { change in
  ///   if case .update(let dogs, _, let insertions, _) = change {
  ///     for index in insertions { print("new:", dogs[index]?.name ?? "") }
  ///   }
  /// }
  /// ```
  /// The first call is `.initial`. Each later call is an `.update` that leads from the previously reported
  /// state to the newest one. Writers never wait for the handler: changes that are committed while it runs
  /// are combined in the next call. The handler therefore never misses the last state, and it never sees
  /// uncommitted changes.
  ///
  /// Until the handler itself writes, the collection and its objects are read from the snapshot that the
  /// indexes refer to. Objects that you kept from before or look up in the store are in their newest state.
  /// An observation that begins inside a `write { }` observes the committed state. Changes made by other
  /// processes are reported like all others.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties. Names joined by dots follow links, embedded objects and collections,
  ///     through at most four links. An element counts as modified if the value at the end of a path has
  ///     changed. `nil` stands for all properties of the elements; linked objects then count only with
  ///     ``StoreOptions/observesLinkedObjects``. With an empty array only insertions and deletions are
  ///     reported. An unknown name is reported as `.error`.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library (never the
  ///     main thread).
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another. An `.error` is the last call. It is reported
  ///     if the store is closed, if the query cannot run, or if the collection's object is not in a store or
  ///     has been released.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the collection and then with its changes.
  ///
  /// ```swift
  /// let token = dogs.observe(on: MainActor.shared) { actor, change in ... }
  /// ```
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the elements.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the actor and the changes.
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { change in
      actor.call(handler, change)
    }
  }

  /// Calls a handler on an executor with the collection and then with its changes.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the elements.
  ///   - executor: the executor on which the handler is called.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.executor(executor).every(interval), handler)
  }

  /// Returns the collection and then its changes, for `for await`.
  ///
  /// ```swift
  /// for try await change in dogs.changes() { ... }
  /// ```
  /// Each loop observes the collection separately. A change is computed when the loop requests it, and leads
  /// from the previously returned state to the newest one. The body of the loop reads the newest state of the
  /// collection. The loop ends when its task is cancelled or the store is closed. Errors are thrown, never
  /// returned as a change.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`.
  ///   - interval: the minimum time between two changes, or `nil` for no minimum.
  public func changes(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil
  ) -> ChangeSequence<RealmCollectionChange<ObservedCollection>> {
    _observed(_WatchedPaths(keyPaths)).changes(every: interval)
  }
}

extension Actor {
  /// Calls the handler of an observation that is delivered on this actor.
  package nonisolated func call<Change>(
    _ handler: @Sendable (isolated Self, Change) -> Void,
    _ change: Change
  ) {
    // SAFETY: the change was created for this call on this actor, and nothing else refers to it.
    nonisolated(unsafe) let change = change
    assumeIsolated { handler($0, change) }
  }
}

extension ObservableCollection where ObservedElement: ObjectBase {
  /// Calls a handler with the collection and then with its changes. An element counts as modified only if the
  /// value of one of the key paths changes.
  ///
  /// ```swift
  /// let token = dogs.observe(keyPaths: [\.name, \.owner?.name]) { change in ... }
  /// ```
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the collection and then with its changes. An element counts as modified
  /// only if the value of one of the key paths changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.actor(actor).every(interval)) { change in
      actor.call(handler, change)
    }
  }

  /// Returns the collection and then its changes, for `for await`. An element counts as modified only if the
  /// value of one of the key paths changes.
  public func changes(
    keyPaths: [PartialKeyPath<ObservedElement>],
    every interval: Duration? = nil
  ) -> ChangeSequence<RealmCollectionChange<ObservedCollection>> {
    _observed(_WatchedPaths(keyPaths)).changes(every: interval)
  }
}

extension _ObservedCollection {
  func changes(every interval: Duration?) -> ChangeSequence<RealmCollectionChange<Collection>> {
    ChangeSequence { gate, take in
      observe(.pull(gate).every(interval), onEnd: { gate.end() }) { change in
        if case .error(let error) = change { take(.failure(error)) } else { take(.success(change)) }
      }
    }
  }
}
