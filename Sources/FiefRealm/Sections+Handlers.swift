import Fief

/// Sections that can be observed: sections of results, of projections or of values, or a single section.
public protocol ObservableSections {
  /// The type of the objects, projections or values in the sections.
  associatedtype Sectioned

  /// Returns the observation of the sections.
  func _observation(_ watched: _WatchedPaths, of elements: Sectioned.Type) -> _LocalObservation<
    SectionedResultsChange<Self>
  >
}

extension ObservableSections {
  /// Calls a handler in the caller's isolation with the sections and then with their changes, until the token
  /// is invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results, or `nil` for all properties, also of linked objects.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [String]? = nil,
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the sections and then with their changes, until the token is
  /// invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, as for results, or `nil` for all properties, also of linked objects.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
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
  /// Calls a handler in the caller's isolation with the sections and then with their changes. An element
  /// counts as modified only if the value of one of the key paths changes.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Sectioned>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    local(_WatchedPaths(keyPaths)).observe(every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the sections and then with their changes. An element counts as
  /// modified only if the value of one of the key paths changes.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths, which may follow at most four links.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
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
  /// Calls a handler in the caller's isolation with the sections and then with their changes. An element
  /// counts as modified only if the value of one of the key paths changes.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties of the projections.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  public func observe(
    keyPaths: [PartialKeyPath<Sectioned>],
    every interval: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (SectionedResultsChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), every: interval, isolation: isolation, handler)
  }

  /// Calls a handler on the main actor with the sections and then with their changes. An element counts as
  /// modified only if the value of one of the key paths changes.
  ///
  /// - Parameters:
  ///   - keyPaths: key paths of properties of the projections.
  ///   - place: the main queue or the main actor: `.main` or `MainActor.shared`.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
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
  /// Returns the observation of the sections. Values have no properties, so key paths cause an `.error`.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Value.Type
  ) -> _LocalObservation<SectionedResultsChange<Self>> {
    _LocalObservation(begin: { executor, handler in
      guard let paths = try? watched.paths.get(), !paths.isEmpty else { return observe(executor, handler) }
      let error = FiefError(
        .invalidQuery,
        "The values of the sections have no properties to watch: remove the key paths.",
        property: paths[0].text
      )
      return executor.enqueueOnce { handler(.error(error)) }
    })
  }
}
