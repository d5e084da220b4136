import Fief

/// Sections that can be observed: sections of results, of projections or of values, or one of them.
public protocol ObservableSections {
  /// The type of the objects, projections or values in the sections.
  associatedtype Sectioned

  /// Returns the observation of the sections.
  func _observation(_ watched: _WatchedPaths, of elements: Sectioned.Type) -> _LocalObservation<
    SectionedResultsChange<Self>
  >
}

extension ObservableSections {
  /// Calls a handler in the caller's isolation with the sections, and then with their changes, until the
  /// token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results; nil for all properties, also of linked objects.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - isolation: the actor on which the handler is called; by default the caller's.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the sections, and then with their changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results; nil for all properties, also of linked objects.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [String]? = nil,
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }

  private func local(_ watched: _WatchedPaths) -> LocalObservation<SectionedResultsChange<Self>> {
    _observation(watched, of: Sectioned.self)
  }
}

extension ObservableSections where Sectioned: ObjectBase {
  /// Calls a handler in the caller's isolation with the sections, and then with their changes. Only changes
  /// of some properties are modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties, through at most four links.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - isolation: the actor on which the handler is called; by default the caller's.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [PartialKeyPath<Sectioned>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the sections, and then with their changes. Only changes of some
  /// properties are modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties, through at most four links.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [PartialKeyPath<Sectioned>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observeOnMain(every: interval, handler)
  }
}

extension ObservableSections where Sectioned: ProjectionObservable {
  /// Calls a handler in the caller's isolation with the sections, and then with their changes. Only changes
  /// of some properties are modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties of the projections.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - isolation: the actor on which the handler is called; by default the caller's.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [PartialKeyPath<Sectioned>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the sections, and then with their changes. Only changes of some
  /// properties are modifications.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties of the projections.
  ///   - place: `.main` or `MainActor.shared`.
  ///   - interval: the shortest time between the beginnings of two calls; nil for no limit.
  ///   - handler: is called with one change after another.
  /// - Returns: the token that keeps the observation active.
  public func observe(
    keyPaths: [PartialKeyPath<Sectioned>],
    on place: some MainPlace,
    every interval: Duration? = nil,
    _ handler: @escaping @MainActor (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: place, every: interval, handler)
  }
}

extension SectionedResults: ObservableSections {
  /// Returns the observation of the sections.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _LocalObservation<SectionedResultsChange<Self>> {
    _LocalObservation(begin: { observe(watched, $0, $1) })
  }
}

extension ResultsSection: ObservableSections {
  /// Returns the observation of the section.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _LocalObservation<SectionedResultsChange<Self>> {
    _LocalObservation(begin: { observe(watched, $0, $1) })
  }
}

extension ProjectedSections: ObservableSections {
  /// Returns the observation of the sections.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _LocalObservation<SectionedResultsChange<Self>> {
    _LocalObservation(begin: { observe(watched, $0, $1) })
  }
}

extension ProjectedSection: ObservableSections {
  /// Returns the observation of the section.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _LocalObservation<SectionedResultsChange<Self>> {
    _LocalObservation(begin: { observe(watched, $0, $1) })
  }
}

extension SectionedValues: ObservableSections {
  /// Returns the observation of the sections. Values have no properties, so that key paths are an `.error`.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Value.Type
  ) -> _LocalObservation<SectionedResultsChange<Self>> {
    _LocalObservation(begin: { executor, handler in
      guard let paths = try? watched.paths.get(), !paths.isEmpty else { return observe(executor, handler) }
      let error = FiefError(
        .invalidQuery,
        "The values of the sections have no properties that can be watched: leave the key paths out.",
        property: paths[0].text
      )
      return executor.enqueueOnce { handler(.error(error)) }
    })
  }
}
