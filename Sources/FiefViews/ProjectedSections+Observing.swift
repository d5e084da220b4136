import Dispatch
import FiefCore
import FiefObserving

extension ProjectedSections {
  /// Calls a handler with the sections and then with their changes, until the token is invalidated or
  /// released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection or of their source properties, or `nil` for all
  ///     properties of the projection.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the same changes as an observer of ``SectionedResults``. It receives an `.error`
  ///     if a name is unknown or a property does not read a persisted property.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the sections and then with their changes. A projection counts as modified only if
  /// one of the given properties is modified.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with the sections and then with their changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ keyPaths: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), executor, handler)
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ watched: _WatchedPaths,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    do {
      return sections.observe(try Self.names(watched), executor) { change in
        handler(change.mapping { ProjectedSections(sections: $0) })
      }
    } catch {
      return executor.enqueueOnce { handler(.error(error)) }
    }
  }

  /// Returns the names of the objects' properties to which names of the projection refer.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` for an unknown name, and of code `invalidQuery` if the
  ///   property is not persisted.
  fileprivate static func names(_ watched: _WatchedPaths) throws -> [String] {
    let names = try watched.paths.get()?.compactMap(\.text)
    return try ProjectionSchema.properties(of: Element.self, named: names).flatMap(\.paths).compactMap(\.text)
  }
}

extension ProjectedSection {
  /// Calls a handler with the section and then with its changes, as for ``ResultsSection``.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection or of their source properties, or `nil` for all
  ///     properties of the projection.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes. It receives an `.error` if a name is unknown or a property reads
  ///     nothing persisted.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the section and then with its changes. A projection counts as modified only if one
  /// of the given properties is modified.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with the section and then with its changes.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ keyPaths: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    observe(_WatchedPaths(keyPaths), executor, handler)
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ watched: _WatchedPaths,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    do {
      let names = try ProjectedSections<Key, Element, Root>.names(watched)
      return section.observe(names, executor) { handler($0.mapping { ProjectedSection(section: $0) }) }
    } catch {
      return executor.enqueueOnce { handler(.error(error)) }
    }
  }
}

extension SectionedResultsChange {
  /// Returns the same change with a value that is computed from the collection.
  func mapping<Made>(_ make: (Collection) -> Made) -> SectionedResultsChange<Made> {
    switch self {
    case .initial(let collection): .initial(make(collection))
    case .update(let collection, let deletions, let insertions, let modifications, let inserted, let deleted):
      .update(
        make(collection),
        deletions: deletions,
        insertions: insertions,
        modifications: modifications,
        sectionsToInsert: inserted,
        sectionsToDelete: deleted
      )
    case .error(let error): .error(error)
    }
  }
}
