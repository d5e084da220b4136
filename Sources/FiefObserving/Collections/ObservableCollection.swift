import Dispatch
import FiefCore

/// A collection whose changes can be observed: results, lists, sets, inverses.
///
/// The collection in the store is observed, not the instance in memory: changes of other instances and of other processes
/// are reported too.
public protocol ObservableCollection {
  /// The type of the elements.
  associatedtype ObservedElement
  /// The type of the collection that handlers get.
  associatedtype ObservedCollection = Self

  /// The source and the follower of an observation of the collection.
  func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<ObservedCollection>
}

/// The paths from an element whose values an observation follows; without any it is about all of the element.
public struct _WatchedPaths: Sendable {
  package let paths: Result<[QueryPath]?, any Error>

  package init(paths: Result<[QueryPath]?, any Error>) { self.paths = paths }

  package init(_ keyPaths: [String]?) { paths = .success(keyPaths?.map(QueryPath.init(keyPath:))) }

  package init<Root: ObjectBase>(_ keyPaths: [PartialKeyPath<Root>]) {
    paths = Result { try keyPaths.map { try QueryPath.of($0) } }
  }
}

/// The store, the follower and the collection of an observation; made by `_observed(_:)`.
public struct _ObservedCollection<Collection>: Sendable {
  package struct Source {
    package let store: StoreCore
    package let follower: any CollectionFollower
    /// The collection as a scope sees it, and the follower has it.
    package let collection: @Sendable (Snapshot, any CollectionFollower) throws -> Collection
    /// Called with the observation when it has begun.
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

  /// Makes the source and the follower of one observation.
  package let source: @Sendable () throws -> Source

  package init(_ source: @escaping @Sendable () throws -> Source) { self.source = source }

  /// Begins an observation; where that is impossible the handler gets the error.
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
  /// Calls a handler with the collection, and then with its changes, until the token ends.
  ///
  /// ```swift
  /// let token = dogs.where { $0.age > 3 }.observe { change in
  ///   if case .update(let dogs, _, let insertions, _) = change {
  ///     for index in insertions { print("new:", dogs[index]?.name ?? "") }
  ///   }
  /// }
  /// ```
  /// The first call is `.initial`, each later one an `.update` from the state that the one before was about
  /// to the newest one. No writer waits for the handler: changes that are committed while it runs come
  /// together in the next call, so that it never misses the last state, and never sees one that was not
  /// committed. In the handler, until it writes itself, the collection and the objects in it are read in just
  /// the state that the indexes speak of; objects that are kept, or looked up in the store, are the newest.
  /// Inside a `write { }` the observed state is the committed one. Changes by other processes are reported
  /// like all others.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, with dots between them where they lead on through links, embedded
  ///     objects and collections, through at most four links: an element is modified where the value at their
  ///     end has changed. nil for all properties of the elements themselves, and of linked objects only with
  ///     ``StoreOptions/observesLinkedObjects``; an empty array for insertions and deletions alone. A name that does not
  ///     exist is reported as `.error`.
  ///   - queue: the queue on which the handler is called; nil for a thread of the library's own, never the main thread.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes, one call after another; it is not called any more after an `.error`: a
  ///     closed store, a collection of an object that is in no store or is not held any more, a query that
  ///     cannot run.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the collection, and then with its changes.
  ///
  /// ```swift
  /// let token = dogs.observe(on: MainActor.shared) { actor, change in ... }
  /// ```
  /// - Parameters:
  ///   - keyPaths: names of properties; nil for all of the elements themselves.
  ///   - actor: the actor on which the handler is called.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the actor and the changes.
  /// - Returns: the token that keeps the observation going.
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

  /// Calls a handler on an executor with the collection, and then with its changes.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties; nil for all of the elements themselves.
  ///   - executor: the executor on which the handler is called.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.executor(executor).every(interval), handler)
  }

  /// The collection, and then its changes, for `for await`.
  ///
  /// ```swift
  /// for try await change in dogs.changes() { ... }
  /// ```
  /// Each loop is an observation of its own. A change is made when the loop asks for it, from the state of the one
  /// before to the newest; in the loop's body the collection is read as it is newest. The loop ends when its task is
  /// cancelled and when the store is closed; an error is thrown, never handed out as a change.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:on:every:_:)`.
  ///   - interval: the least time between two changes; nil for none.
  public func changes(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil
  ) -> ChangeSequence<RealmCollectionChange<ObservedCollection>> {
    _observed(_WatchedPaths(keyPaths)).changes(every: interval)
  }
}

extension Actor {
  /// Calls a handler of an observation whose executor is this actor.
  package nonisolated func call<Change>(
    _ handler: @Sendable (isolated Self, Change) -> Void,
    _ change: Change
  ) {
    // SAFETY: the change was made for this call, on this actor, and nothing else has a reference to it.
    nonisolated(unsafe) let change = change
    assumeIsolated { handler($0, change) }
  }
}

extension ObservableCollection where ObservedElement: ObjectBase {
  /// Calls a handler with the collection, and then with its changes; only the values of some properties of
  /// the elements count as modifications.
  ///
  /// ```swift
  /// let token = dogs.observe(keyPaths: [\.name, \.owner?.name]) { change in ... }
  /// ```
  /// - Parameters:
  ///   - keyPaths: paths of properties, through at most four links.
  ///   - queue: the queue on which the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<ObservedElement>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ObservedCollection>) -> Void
  ) -> NotificationToken {
    _observed(_WatchedPaths(keyPaths)).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the collection, and then with its changes; only the values of some
  /// properties of the elements count as modifications.
  ///
  /// - Returns: the token that keeps the observation going.
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

  /// The collection, and then its changes, for `for await`; only the values of some properties of the
  /// elements count as modifications.
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
