import FiefCore
import FiefObserving
import Foundation

extension ProjectedResults {
  /// The projections of the objects for which a closure's condition holds, as ``Results/where(_:)`` has them.
  public func `where`(_ isIncluded: (Query<Root>) -> Query<Bool>) -> ProjectedResults {
    ProjectedResults(objects: objects.where(isIncluded))
  }

  /// The projections for which a closure's condition about their own properties holds.
  ///
  /// ```swift
  /// let homes = store.objects(PersonName.self).where { $0.street == "Main Street" && $0.friends == "Ann" }
  /// ```
  /// A property that is computed by code is an error where the results are used. A ``ProjectedCollection``
  /// means any of its values. A closure whose names are all known to the class of the objects is about the
  /// objects; `{ (name: Query<PersonName>) in … }` is about the projection in any case.
  @_disfavoredOverload
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> ProjectedResults {
    ProjectedResults(
      objects: objects.describing {
        $0.condition = .both($0.condition, try TypedQuery.condition(isIncluded, of: Root.className()))
      }
    )
  }

  /// The projections of the objects for which a predicate holds.
  public func filter(_ predicate: Predicate<Root>) -> ProjectedResults {
    ProjectedResults(objects: objects.filter(predicate))
  }

  /// The projections of the objects for which a text is true, as ``Results/filter(_:_:)`` has them.
  public func filter(_ format: String, _ args: Any...) -> ProjectedResults {
    ProjectedResults(objects: objects.filter(format, variadic: args))
  }

  /// Returns the projections of the objects that match a query text without arguments.
  public func filter(_ format: String) -> ProjectedResults {
    ProjectedResults(objects: objects.filter(format))
  }

  /// The projections in the order of a property of the objects.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> ProjectedResults {
    ProjectedResults(objects: objects.sorted(byKeyPath: keyPath, ascending: ascending))
  }

  /// The projections in an order of the objects.
  public func sorted(by order: [PropertyOrder]) -> ProjectedResults {
    ProjectedResults(objects: objects.sorted(by: order))
  }

  /// The projections in the order of one of their properties; a computed one is an error where the results are used.
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> ProjectedResults {
    let objects = objects.describing {
      $0.order = [QueryOrder(.path(try ProjectionSchema.path(keyPath)), ascending: ascending)]
    }
    return ProjectedResults(objects: objects)
  }

  /// The projections of objects that differ in properties.
  public func distinct(by keyPaths: [String]) -> ProjectedResults {
    ProjectedResults(objects: objects.distinct(by: keyPaths))
  }

  /// The least value of a property of the objects, nil where there is none.
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    objects.min(ofProperty: property)
  }

  /// The greatest value of a property of the objects, nil where there is none.
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    objects.max(ofProperty: property)
  }

  /// The sum of a property of the objects.
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    objects.sum(ofProperty: property)
  }

  /// The average of a property of the objects, nil where there is no value.
  public func average(ofProperty property: String) -> Double? { objects.average(ofProperty: property) }
}

extension ProjectedResults: ObservableCollection {
  /// The type of the elements.
  public typealias ObservedElement = Element

  /// The source and the follower of an observation of the results: an element is modified where one of its
  /// own properties is; names are those of the projection's properties, or of the properties that they are
  /// projected from.
  public func _observed(_ watched: _WatchedPaths) -> _ObservedCollection<ProjectedResults> {
    let paths = Result<[QueryPath]?, any Error> {
      let names = try watched.paths.get()?.compactMap(\.text)
      return try ProjectionSchema.properties(of: Element.self, named: names).flatMap(\.paths)
    }
    return objects._observed(_WatchedPaths(paths: paths)).projected { ProjectedResults(objects: $0) }
  }

  /// Calls a handler with the projections, and then with their changes; only some of their properties count
  /// as modifications.
  ///
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Element>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (RealmCollectionChange<ProjectedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: queue, every: interval, handler)
  }

  /// Calls a handler on an actor with the projections, and then with their changes; only some of their
  /// properties count as modifications.
  ///
  /// - Returns: the token that keeps the observation going.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Element>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, RealmCollectionChange<ProjectedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: ProjectionSchema.names(keyPaths), on: actor, every: interval, handler)
  }
}
