import FiefCore
import FiefObserving
import Foundation

extension ProjectedResults {
  /// Returns the projections of the objects that match a condition; see ``ObjectQuery/where(_:)``.
  public func `where`(_ isIncluded: (Query<Root>) -> Query<Bool>) -> ProjectedResults {
    ProjectedResults(objects: objects.where(isIncluded))
  }

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

  /// Returns the projections of the objects that match a predicate.
  public func filter(_ predicate: Predicate<Root>) -> ProjectedResults {
    ProjectedResults(objects: objects.filter(predicate))
  }

  /// Returns the projections of the objects that match a query text; see ``ObjectQuery/filter(_:_:)``.
  public func filter(_ format: String, _ args: Any...) -> ProjectedResults {
    ProjectedResults(objects: objects.filter(format, variadic: args))
  }

  /// Returns the projections of the objects that match a query text without arguments.
  public func filter(_ format: String) -> ProjectedResults {
    ProjectedResults(objects: objects.filter(format))
  }

  /// Returns the projections, sorted by a property of the objects.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> ProjectedResults {
    ProjectedResults(objects: objects.sorted(byKeyPath: keyPath, ascending: ascending))
  }

  /// Returns the projections, sorted by properties of the objects.
  public func sorted(by order: [PropertyOrder]) -> ProjectedResults {
    ProjectedResults(objects: objects.sorted(by: order))
  }

  /// Returns the projections, sorted by one of their properties. Sorting by a computed property fails when
  /// the results are used.
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> ProjectedResults {
    let objects = objects.describing {
      $0.order = [QueryOrder(.path(try ProjectionSchema.path(keyPath)), ascending: ascending)]
    }
    return ProjectedResults(objects: objects)
  }

  /// Returns the projections of one object for each combination of values of some properties.
  public func distinct(by keyPaths: [String]) -> ProjectedResults {
    ProjectedResults(objects: objects.distinct(by: keyPaths))
  }

  /// Returns the minimum of a property of the objects, or `nil` if there are no values.
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    objects.min(ofProperty: property)
  }

  /// Returns the maximum of a property of the objects, or `nil` if there are no values.
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    objects.max(ofProperty: property)
  }

  /// Returns the sum of a property of the objects.
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    objects.sum(ofProperty: property)
  }

  /// Returns the average of a property of the objects, or `nil` if there are no values.
  public func average(ofProperty property: String) -> Double? { objects.average(ofProperty: property) }
}

extension ProjectedResults: ObservableCollection {
  /// Returns the observation of the projections. An element counts as modified if one of the projection's
  /// properties is modified. Names refer to properties of the projection or to their source properties.
  public func _observation(
    _ watched: _WatchedPaths,
    of elements: Element.Type
  ) -> _Observation<RealmCollectionChange<ProjectedResults>> {
    objects._observation(ProjectionSchema.paths(of: elements, watched), of: Root.self).map {
      $0.mapping { ProjectedResults(objects: $0) }
    }
  }
}
