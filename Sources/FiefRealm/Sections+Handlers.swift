import Fief

extension SectionedResults {
  /// Calls a handler where the caller runs with the sections, and then with their changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results; nil for all, also of linked objects.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler(handler)
    return observe(keyPaths, .caller(isolation).every(interval)) { handler.call($0) }
  }

  /// Calls a handler on the main actor with the sections, and then with their changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results; nil for all, also of linked objects.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    return observe(keyPaths, .actor(MainActor.shared).every(interval)) { handler.call($0) }
  }

  /// Calls a handler where the caller runs with the sections, and then with their changes; only some properties count
  /// as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler(handler)
    return observe(keyPaths.map { PropertyOrder(keyPath: $0).keyPath }, .caller(isolation).every(interval)) {
      handler.call($0)
    }
  }

  /// Calls a handler on the main actor with the sections, and then with their changes; only some properties count
  /// as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    return observe(
      keyPaths.map { PropertyOrder(keyPath: $0).keyPath },
      .actor(MainActor.shared).every(interval)
    ) { handler.call($0) }
  }
}

extension ResultsSection {
  /// Calls a handler where the caller runs with the section, and then with its changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results; nil for all, also of linked objects.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler(handler)
    return observe(keyPaths, .caller(isolation).every(interval)) { handler.call($0) }
  }

  /// Calls a handler on the main actor with the section, and then with its changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results; nil for all, also of linked objects.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    return observe(keyPaths, .actor(MainActor.shared).every(interval)) { handler.call($0) }
  }

  /// Calls a handler where the caller runs with the section, and then with its changes; only some properties count
  /// as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler(handler)
    return observe(keyPaths.map { PropertyOrder(keyPath: $0).keyPath }, .caller(isolation).every(interval)) {
      handler.call($0)
    }
  }

  /// Calls a handler on the main actor with the section, and then with its changes; only some properties count
  /// as modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: paths of properties.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    return observe(
      keyPaths.map { PropertyOrder(keyPath: $0).keyPath },
      .actor(MainActor.shared).every(interval)
    ) { handler.call($0) }
  }
}

extension SectionedValues {
  /// Calls a handler where the caller runs with the sections, and then with their changes, until the token ends.
  ///
  /// - Parameters:
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler(handler)
    return observe(.caller(isolation).every(interval)) { handler.call($0) }
  }

  /// Calls a handler on the main actor with the sections, and then with their changes, until the token ends.
  ///
  /// - Parameters:
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the least time from the beginning of a call to the beginning of the next one; nil for none.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  public func observe(
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = MainHandler(handler)
    return observe(.actor(MainActor.shared).every(interval)) { handler.call($0) }
  }
}
