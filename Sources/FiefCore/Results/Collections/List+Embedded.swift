import Foundation

extension List where Element: EmbeddedObject {
  /// The embedded objects as results: in the order of the list until another one is asked for.
  ///
  /// A list with changes that are not saved fails. Of one that belongs to no object of a store they are the objects that it has
  /// now; questions to them read a copy, as those to lists of objects do: see ``ObjectCollection``.
  public var results: EmbeddedResults<Element> {
    isStored ? storedEmbeddedResults() : givenEmbeddedResults(Array(self))
  }

  /// The embedded objects for which a closure's condition holds.
  ///
  /// ```swift
  /// let inBonn = person.addresses.where { $0.city == "Bonn" }
  /// ```
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> EmbeddedResults<Element> {
    results.where(isIncluded)
  }

  /// The embedded objects for which a predicate holds.
  public func filter(_ predicate: Predicate<Element>) -> EmbeddedResults<Element> {
    results.filter(predicate)
  }

  /// The embedded objects for which a text is true, as ``Results/filter(_:_:)`` has them.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults<Element> {
    results.filter(format, variadic: args)
  }

  /// Returns the embedded objects that match a query text without arguments.
  public func filter(_ format: String) -> EmbeddedResults<Element> { results.filter(format) }

  /// The embedded objects in the order of the property with a name.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> EmbeddedResults<Element> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The embedded objects in the order of a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Element, Value>, ascending: Bool = true)
    -> EmbeddedResults<Element>
  {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The sum of a property, zero where there is no object.
  public func sum<Number: AggregatableNumber>(of keyPath: KeyPath<Element, Number>) -> Number {
    results.sum(of: keyPath)
  }

  /// The mean of a property, nil where there is no object.
  public func average<Number: AggregatableNumber>(of keyPath: KeyPath<Element, Number>) -> Double? {
    results.average(of: keyPath)
  }

  /// The least value of a property, nil where there is none.
  public func min<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Found>) -> Found? {
    results.min(of: keyPath)
  }

  /// The greatest value of a property, nil where there is none.
  public func max<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Element, Found>) -> Found? {
    results.max(of: keyPath)
  }
}

extension Map where Value: _OptionalEmbedded {
  /// The embedded objects that are values as results: in the order of the map's keys.
  ///
  /// The results are as those of a list: see ``EmbeddedResults``. Keys with nil have no object.
  public var results: EmbeddedResults<Value._Embedded> {
    isStored ? storedEmbeddedResults() : givenEmbeddedResults(values.compactMap { $0 as? Value._Embedded })
  }

  /// The embedded objects for which a closure's condition holds.
  public func `where`(_ isIncluded: (Query<Value._Embedded>) -> Query<Bool>) -> EmbeddedResults<
    Value._Embedded
  > {
    results.where(isIncluded)
  }

  /// The embedded objects for which a text is true, as ``Results/filter(_:_:)`` has them.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults<Value._Embedded> {
    results.filter(format, variadic: args)
  }

  /// Returns the embedded objects that match a query text without arguments.
  public func filter(_ format: String) -> EmbeddedResults<Value._Embedded> { results.filter(format) }

  /// The embedded objects in the order of the property with a name.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> EmbeddedResults<Value._Embedded> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The sum of a property, zero where there is no object.
  public func sum<Number: AggregatableNumber>(of keyPath: KeyPath<Value._Embedded, Number>) -> Number {
    results.sum(of: keyPath)
  }

  /// The mean of a property, nil where there is no object.
  public func average<Number: AggregatableNumber>(of keyPath: KeyPath<Value._Embedded, Number>) -> Double? {
    results.average(of: keyPath)
  }

  /// The least value of a property, nil where there is none.
  public func min<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Value._Embedded, Found>)
    -> Found?
  {
    results.min(of: keyPath)
  }

  /// The greatest value of a property, nil where there is none.
  public func max<Found: Persistable & RealmCollectionValue>(of keyPath: KeyPath<Value._Embedded, Found>)
    -> Found?
  {
    results.max(of: keyPath)
  }
}

/// An embedded object that may be nil, as the values of maps are.
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

  /// The embedded objects of a collection that no store has.
  fileprivate func givenEmbeddedResults<Embedded: EmbeddedObject>(
    _ objects: @autoclosure () -> [Embedded]
  ) -> EmbeddedResults<Embedded> {
    do {
      try checkRead()
      let given = try GivenObjects(parts: try readingAll(objects))
      return EmbeddedResults(context: ObjectContext(given: given), members: given.members)
    } catch {
      return EmbeddedResults(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }
}
