import Dispatch
import FiefCore
import FiefObserving

extension ProjectedSections {
  /// Calls a handler with the sections, and then with their changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection, or of the properties that they are projected from;
  ///     nil for all of the projection.
  ///   - queue: the queue on which the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes, as those of ``SectionedResults``. A name of no property, and a property that reads nothing
  ///     persisted, are an `.error`.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the sections, and then with their changes; only some properties of the projection
  /// count as modifications.
  ///
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with the sections, and then with their changes.
  ///
  /// - Returns: the token that keeps the observation going.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation; if that is impossible, the handler gets the error.
  package func observe(
    _ keyPaths: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSections>) -> Void
  ) -> NotificationToken {
    do {
      return sections.observe(try Self.watched(keyPaths), executor) { change in
        handler(change.mapping { ProjectedSections(sections: $0) })
      }
    } catch {
      return executor.enqueueOnce { handler(.error(error)) }
    }
  }

  /// The names of the objects' properties.
  ///
  /// - Throws: ``FiefError`` of code `unknownProperty` for a name of none, `invalidQuery` for one that is not
  ///   persisted.
  fileprivate static func watched(_ keyPaths: [String]?) throws -> [String] {
    try ProjectionSchema.properties(of: Element.self, named: keyPaths).flatMap(\.paths).compactMap(\.text)
  }
}

extension ProjectedSection {
  /// Calls a handler with the section, and then with its changes, as ``ResultsSection`` reports them.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection, or of the properties that they are projected from;
  ///     nil for all of the projection.
  ///   - queue: the queue on which the handler is called; nil for a thread of the library's own.
  ///   - interval: the least time from the beginning of a call to that of the next one; nil for none.
  ///   - handler: gets the changes. A name of no property, and a property that reads nothing persisted, are an `.error`.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the section, and then with its changes; only some properties of the projection
  /// count as modifications.
  ///
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with the section, and then with its changes.
  ///
  /// - Returns: the token that keeps the observation going.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation; if that is impossible, the handler gets the error.
  package func observe(
    _ keyPaths: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (SectionedResultsChange<ProjectedSection>) -> Void
  ) -> NotificationToken {
    do {
      let names = try ProjectedSections<Key, Element, Root>.watched(keyPaths)
      return section.observe(names, executor) { handler($0.mapping { ProjectedSection(section: $0) }) }
    } catch {
      return executor.enqueueOnce { handler(.error(error)) }
    }
  }
}

extension SectionedResultsChange {
  /// The same change with a value that is computed from the collection.
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
