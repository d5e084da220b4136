import Dispatch
import FiefCore

/// Contents whose changes can be observed: results, a list, a set, a map, sections or projections.
///
/// Observations follow the stored contents, not the instance in memory, so they also report changes made
/// through other instances and by other processes.
public protocol ObservableContents {
  /// A change, as handlers receive it.
  associatedtype ObservedChange
  /// The type of the elements with the properties that an observation can follow.
  associatedtype ObservedElement

  /// Returns the observation of the contents.
  func _observation(
    _ watched: _WatchedPaths,
    of elements: ObservedElement.Type
  ) -> _Observation<ObservedChange>
}

extension ObservableContents {
  /// Calls a handler with the contents and then with their changes, until the token is invalidated or
  /// released.
  ///
  /// ```swift
  /// let token = dogs.where { $0.age > 3 }.observe { change in
  ///   if case .update(let dogs, _, let insertions, _) = change {
  ///     for index in insertions { print("new:", dogs[index]?.name ?? "") }
  ///   }
  /// }
  /// ```
  /// The handler is called on the actor of its closure: in code of the main actor on the main actor, and in
  /// code without an actor on a thread of the library.
  ///
  /// The first call is `.initial`. Each later call is an `.update` that leads from the previously reported
  /// state to the newest one. Writers never wait for the handler: changes that are committed while it runs
  /// are combined in the next call. The handler therefore never misses the last state, and it never sees
  /// uncommitted changes.
  ///
  /// Until the handler itself writes, the contents and their objects are read from the snapshot that the
  /// indexes refer to. Objects that you kept from before or look up in the store are in their newest state;
  /// in handlers of `FiefRealm`, lookups use the snapshot. An observation that begins inside a `write { }`
  /// observes the committed state. Changes made by other processes are reported like all others.
  ///
  /// A map reports keys instead of indexes. Sections report index paths, and an object counts as modified
  /// also if a property that orders the sections has changed. A section is identified by its key: when it
  /// disappears, it is reported once with `sectionsToDelete`, and when it appears again, with
  /// `sectionsToInsert`. Sections of values have no modifications; a replaced value is a deletion and an
  /// insertion.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties. Names joined by dots follow links, embedded objects and collections,
  ///     through at most four links. An element counts as modified if the value at the end of a path has
  ///     changed. `nil` stands for all properties of the elements; linked objects then count only with
  ///     ``StoreOptions/observesLinkedObjects``. For projections the names are properties of the projection,
  ///     or their source properties. With an empty array only insertions and deletions are reported. An
  ///     unknown name is reported as `.error`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another. An `.error` is the last call. It is reported
  ///     if the store is closed, if the query cannot run, or if the collection's object is not in a store or
  ///     has been released.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ObservedChange) -> Void
  ) -> NotificationToken {
    let handler = IsolatedHandler(handler)
    return observation(keyPaths).observe(handler.executor.every(interval)) { handler.call($0) }
  }

  /// Calls a handler on a queue with the contents and then with their changes; see
  /// `observe(keyPaths:every:_:)`.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the elements.
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
    _ handler: @escaping @Sendable (ObservedChange) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the contents and then with their changes.
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
    _ handler: @escaping @Sendable (isolated Isolation, ObservedChange) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on the main actor with the contents and then with their changes.
  ///
  /// ```swift
  /// token = dogs.observe(on: MainActor.shared) { [weak self] change in self?.reload() }
  /// ```
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties of the elements.
  ///   - actor: `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form that also updates an observed list, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on actor: MainActor,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (ObservedChange) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.actor(actor).every(interval)) { MainActor.call(handler, $0) }
  }

  /// Calls a handler on an executor with the contents and then with their changes.
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
    _ handler: @escaping @Sendable (ObservedChange) -> Void
  ) -> NotificationToken {
    observation(keyPaths).observe(.executor(executor).every(interval), handler)
  }

  /// Returns the contents and then their changes, for `for await`.
  ///
  /// ```swift
  /// for try await change in dogs.changes() { ... }
  /// ```
  /// Each loop observes the contents separately. A change is computed when the loop requests it, and leads
  /// from the previously returned state to the newest one. The body of the loop reads the newest state. The
  /// loop ends when its task is cancelled or the store is closed. Errors are thrown, never returned as a
  /// change.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as in `observe(keyPaths:every:_:)`.
  ///   - interval: the minimum time between two changes, or `nil` for no minimum.
  public func changes(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil
  ) -> ChangeSequence<ObservedChange> {
    observation(keyPaths).changes(every: interval)
  }

  private func observation(_ keyPaths: [String]?) -> _Observation<ObservedChange> {
    _observation(_WatchedPaths(keyPaths), of: ObservedElement.self)
  }
}
