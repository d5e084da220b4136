import Foundation

extension List where Element: EmbeddedObject {
  /// The embedded objects as results. Unless you sort them, they are in the order of the list.
  ///
  /// If the list has unsaved changes, using the results is an error. If the list belongs to no object of a
  /// store, the results have the current objects. As with lists of objects, queries then read a copy: see
  /// ``ObjectCollection``.
  public var results: EmbeddedResults<Element> {
    isStored ? storedEmbeddedResults() : givenEmbeddedResults(Array(self))
  }

  /// Returns the embedded objects that meet a condition.
  ///
  /// ```swift
  /// let inBonn = person.addresses.where { $0.city == "Bonn" }
  /// ```
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> EmbeddedResults<Element> {
    results.where(isIncluded)
  }

  /// Returns the embedded objects that a predicate accepts.
  public func filter(_ predicate: Predicate<Element>) -> EmbeddedResults<Element> {
    results.filter(predicate)
  }

  /// Returns the embedded objects that match a query text; see ``Results/filter(_:_:)``.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults<Element> {
    results.filter(format, variadic: args)
  }

  /// Returns the embedded objects that match a query text without arguments.
  public func filter(_ format: String) -> EmbeddedResults<Element> { results.filter(format) }

  /// Returns the embedded objects, sorted by the named property.
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> EmbeddedResults<
    Element
  > {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the embedded objects, sorted by a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true)
    -> EmbeddedResults<Element>
  {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the sum of a property, or zero if there are no objects.
  public func sum<Number: AggregatableNumber>(of keyPath: KeyPath<Element, Number>) -> Number {
    results.sum(of: keyPath)
  }

  /// Returns the mean of a property, or `nil` if there are no objects.
  public func average<Number: AggregatableNumber>(of keyPath: KeyPath<Element, Number>) -> Double? {
    results.average(of: keyPath)
  }

  /// Returns the minimum value of a property, or `nil` if there are no objects.
  public func min<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Found>) -> Found? {
    results.min(of: keyPath)
  }

  /// Returns the maximum value of a property, or `nil` if there are no objects.
  public func max<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Found>) -> Found? {
    results.max(of: keyPath)
  }
}

extension Map where Value: _OptionalEmbedded {
  /// The embedded objects among the map's values, as results in the order of the map's keys.
  ///
  /// The results behave like the results of a list: see ``EmbeddedResults``. Keys with nil have no object.
  public var results: EmbeddedResults<Value._Embedded> {
    isStored ? storedEmbeddedResults() : givenEmbeddedResults(values.compactMap { $0 as? Value._Embedded })
  }

  /// Returns the embedded objects that meet a condition.
  public func `where`(_ isIncluded: (Query<Value._Embedded>) -> Query<Bool>) -> EmbeddedResults<
    Value._Embedded
  > {
    results.where(isIncluded)
  }

  /// Returns the embedded objects that match a query text; see ``Results/filter(_:_:)``.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults<Value._Embedded> {
    results.filter(format, variadic: args)
  }

  /// Returns the embedded objects that match a query text without arguments.
  public func filter(_ format: String) -> EmbeddedResults<Value._Embedded> { results.filter(format) }

  /// Returns the embedded objects, sorted by the named property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> EmbeddedResults<Value._Embedded> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the sum of a property, or zero if there are no objects.
  public func sum<Number: AggregatableNumber>(of keyPath: KeyPath<Value._Embedded, Number>) -> Number {
    results.sum(of: keyPath)
  }

  /// Returns the mean of a property, or `nil` if there are no objects.
  public func average<Number: AggregatableNumber>(of keyPath: KeyPath<Value._Embedded, Number>) -> Double? {
    results.average(of: keyPath)
  }

  /// Returns the minimum value of a property, or `nil` if there are no objects.
  public func min<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Value._Embedded, Found>)
    -> Found?
  {
    results.min(of: keyPath)
  }

  /// Returns the maximum value of a property, or `nil` if there are no objects.
  public func max<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Value._Embedded, Found>)
    -> Found?
  {
    results.max(of: keyPath)
  }
}

/// An embedded object that may be nil, such as the values of maps.
public protocol _OptionalEmbedded {
  /// The class of the object.
  associatedtype _Embedded: EmbeddedObject
}

extension Optional: _OptionalEmbedded where Wrapped: EmbeddedObject {
  /// The class of the object.
  public typealias _Embedded = Wrapped
}

extension OwnedCollection {
  fileprivate func storedEmbeddedResults<Embedded: EmbeddedObject>() -> EmbeddedResults<Embedded> {
    do {
      let (context, members) = try stored(Embedded.self)
      return EmbeddedResults(context: context, members: members)
    } catch {
      return EmbeddedResults(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }

  /// Returns the embedded objects of a collection that belongs to no store.
  fileprivate func givenEmbeddedResults<Embedded: EmbeddedObject>(
    _ objects: @autoclosure () -> [Embedded]
  ) -> EmbeddedResults<Embedded> {
    do {
      try checkRead()
      let given = try GivenObjects(parts: try readingAll(objects))
      return EmbeddedResults(context: ObjectContext(.given(given), store: given.store), members: given.members)
    } catch {
      return EmbeddedResults(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }
}
