import FiefCore
import FiefObserving
import Foundation

extension ProjectedResults {
  /// Returns the projections that match a condition on their own properties.
  ///
  /// ```swift
  /// let homes = store.objects(PersonName.self).where { $0.street == "Main Street" && $0.friends == "Ann" }
  /// ```
  /// A condition on a computed property fails when the results are used. A condition on a
  /// ``ProjectedCollection`` matches if any of its values matches. If every name in the closure is also a
  /// property of the objects' class, Swift interprets the closure as a condition on the objects. To query the
  /// projection instead, declare the type of the parameter: `{ (name: Query<PersonName>) in … }`.
  @_disfavoredOverload
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> ProjectedResults {
    ProjectedResults(
      objects: objects.describing {
        $0.condition = .both($0.condition, try TypedQuery.condition(isIncluded, of: Root.className()))
      }
    )
  }

  /// Returns the projections, sorted by one of their properties. Sorting by a computed property fails when
  /// the results are used.
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> ProjectedResults {
    let objects = objects.describing {
      $0.order = [QueryOrder(.path(try ProjectionSchema.path(keyPath)), ascending: ascending)]
    }
    return ProjectedResults(objects: objects)
  }
}

/// Queries of the objects, by their own properties.
extension ProjectedResults: ObjectQuery {
  /// Returns the projections of the objects with a condition, an order or a bound in addition.
  public func _shaped(_ change: _QueryChange<Root>) -> ProjectedResults {
    ProjectedResults(objects: objects._shaped(change))
  }

  /// Computes an aggregate of the objects.
  public func _aggregate(_ request: _AggregateRequest<Root>) -> _AggregateOutcome {
    objects._aggregate(request)
  }
}

extension ProjectedResults: ObservableCollection {
  /// Returns the store, the follower and the projections for an observation. An element counts as modified if
  /// one of the projection's properties is modified. Names refer to properties of the projection or to their
  /// source properties.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<ProjectedResults> {
    let paths = Result<[QueryPath]?, any Error> {
      let names = try watched.paths.get()?.compactMap(\.text)
      return try ProjectionSchema.properties(of: Element.self, named: names).flatMap(\.paths)
    }
    return objects._observed(_WatchedPaths(paths: paths)).projected { ProjectedResults(objects: $0) }
  }

  /// Calls a handler with the projections and then with their changes. An element counts as modified only if
  /// one of the given properties is modified.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ProjectedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with the projections and then with their changes. An element counts as
  /// modified only if one of the given properties is modified.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Element>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmCollectionChange<ProjectedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: actor, every: interval, handler)
  }
}
