public import Dispatch
public import Fief

extension TreeQueryable {
  /// Calls a handler with the state of a place and then with its changes, until the token is invalidated or
  /// released.
  ///
  /// ```swift
  /// let token = room.observe { event in
  ///   if case .value(let room) = event { print(room.json["title"]) }
  /// }
  /// let messages = try room.child("messages").observe(.children) { event in
  ///   switch event {
  ///   case .childAdded(let message, let after): print("new:", message.json, "after", after ?? "none")
  ///   case .childRemoved(let message): print("removed:", message.key ?? "")
  ///   default: break
  ///   }
  /// }
  /// ```
  /// With ``TreeEvents/value``, the first call has the value when the observation begins, also if nothing is
  /// there. Each later call follows a change of the value, whether the write was at the place, below or above
  /// it. With events of children, every child is first reported as added, in order.
  ///
  /// After a commit, the handler receives removed, added, moved and changed children, and then the value.
  /// Writers never wait for it. Commits that are made while it runs, or within the interval, are combined: the
  /// next calls have the difference between the last delivered state and the newest one, so a child that was
  /// added and removed in between is not reported. Commits of other processes are delivered like all others.
  ///
  /// An error ends the observation. So does closing the store, which is no error.
  ///
  /// The handler is called on the actor of its closure: in code of the main actor on the main actor, and in
  /// code without an actor on a thread of the library.
  ///
  /// - Parameters:
  ///   - events: the kinds of events that are delivered.
  ///   - interval: the minimum time between the starts of two deliveries, or `nil` for no minimum.
  ///   - onError: receives the error that has ended the observation, after the last event, on the actor of its
  ///     closure. If the handler has another actor, `onError` may be called after `invalidate()`. Without
  ///     `onError`, the error is reported as `StoreEvent.failedRead`.
  ///   - handler: receives the events, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    _ events: TreeEvents = .value,
    every interval: Duration? = nil,
    @_inheritActorContext onError: (@isolated(any) @Sendable (FiefError) -> Void)? = nil,
    @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (TreeEvent) -> Void
  ) -> NotificationToken {
    let executor = IsolatedHandler(handler).executor.every(interval)
    let fail = onError.map { onError -> @Sendable (FiefError) -> Void in
      let isCalledLikeHandler = onError.isolation == nil || onError.isolation === handler.isolation
      return isCalledLikeHandler
        ? IsolatedHandler(onError).call : { error in Task.detached { await onError(error) } }
    }
    return observed.observe(events, executor, fail, IsolatedHandler(handler).call)
  }

  /// Calls a handler on a queue with the state of a place and then with its changes. See
  /// `observe(_:every:onError:_:)`.
  ///
  /// - Parameters:
  ///   - events: the kinds of events that are delivered.
  ///   - queue: the queue on which the handler and `onError` are called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two deliveries, or `nil` for no minimum.
  ///   - onError: receives the error that has ended the observation.
  ///   - handler: receives the events.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    _ events: TreeEvents = .value,
    on queue: DispatchQueue?,
    every interval: Duration? = nil,
    onError: (@Sendable (FiefError) -> Void)? = nil,
    _ handler: @escaping @Sendable (TreeEvent) -> Void
  ) -> NotificationToken {
    observed.observe(events, .queue(queue).every(interval), onError, handler)
  }

  /// Calls a handler on an actor with the state of a place and then with its changes. See
  /// `observe(_:every:onError:_:)`.
  public func observe<Isolation: Actor>(
    _ events: TreeEvents = .value,
    on actor: Isolation,
    every interval: Duration? = nil,
    onError: (@Sendable (FiefError) -> Void)? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, TreeEvent) -> Void
  ) -> NotificationToken {
    observed.observe(events, .actor(actor).every(interval), onError) { event in
      actor.assumeIsolated { handler($0, event) }
    }
  }

  /// Calls a handler on the main actor with the state of a place and then with its changes. See
  /// `observe(_:every:onError:_:)`.
  public func observe(
    _ events: TreeEvents = .value,
    on actor: MainActor,
    every interval: Duration? = nil,
    onError: (@Sendable (FiefError) -> Void)? = nil,
    _ handler: @escaping @MainActor (TreeEvent) -> Void
  ) -> NotificationToken {
    observed.observe(events, .actor(actor).every(interval), onError) { event in
      MainActor.assumeIsolated { handler(event) }
    }
  }

  /// Calls a handler on an executor with the state of a place and then with its changes. See
  /// `observe(_:every:onError:_:)`.
  public func observe(
    _ events: TreeEvents = .value,
    on executor: any TaskExecutor,
    every interval: Duration? = nil,
    onError: (@Sendable (FiefError) -> Void)? = nil,
    _ handler: @escaping @Sendable (TreeEvent) -> Void
  ) -> NotificationToken {
    observed.observe(events, .executor(executor).every(interval), onError, handler)
  }

  /// Returns the state of a place and then its changes, for `for await`.
  ///
  /// ```swift
  /// for try await event in room.events() { if case .value(let room) = event { print(room.json) } }
  /// ```
  /// The observation begins when the loop requests the first event. Commits that are made while the loop's body
  /// runs are combined. The sequence ends when the task is cancelled or the store is closed.
  ///
  /// - Parameters:
  ///   - events: the kinds of events.
  ///   - interval: the minimum time between two deliveries, or `nil` for no minimum.
  /// - Returns: a sequence that throws the error that ends the observation.
  public func events(_ events: TreeEvents = .value, every interval: Duration? = nil) -> ChangeSequence<
    TreeEvent
  > {
    observed.events(events, every: interval)
  }

  /// Waits for the first event of some kinds. For ``TreeEvents/value``, this is the present value.
  ///
  /// - Throws: `FiefError` if the place cannot be observed; `cancelled` if the task was cancelled, and
  ///   `storeClosed` if the store was closed before there was an event.
  nonisolated(nonsending) public func singleEvent(_ events: TreeEvents = .value) async throws -> TreeEvent {
    for try await event in self.events(events) { return event }
    throw observed.endedError
  }

  private var observed: ObservedPlace { ObservedPlace(query: query, isWhole: self is TreeReference) }
}
