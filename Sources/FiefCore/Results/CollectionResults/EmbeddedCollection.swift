import Foundation

/// A collection of embedded objects that can be queried and sorted: a ``List``, or a ``Map`` with optional
/// values.
///
/// ```swift
/// let inBonn = person.addresses.where { $0.city == "Bonn" }.sorted(byKeyPath: \.street)
/// ```
/// Everything that ``EmbeddedResults`` can do is available through ``results``; this protocol adds the most
/// common operations.
public protocol EmbeddedCollection {
  /// The class of the objects.
  associatedtype Part: EmbeddedObject

  /// The embedded objects as results. Unless you sort them, they are in the order of the collection.
  var results: EmbeddedResults<Part> { get }
}

extension EmbeddedCollection {
  /// Returns the embedded objects that meet a condition.
  ///
  /// ```swift
  /// let inBonn = person.addresses.where { $0.city == "Bonn" }
  /// ```
  public func `where`(_ isIncluded: (Query<Part>) -> Query<Bool>) -> EmbeddedResults<Part> {
    results.where(isIncluded)
  }

  /// Returns the embedded objects that a predicate accepts.
  public func filter(_ predicate: Predicate<Part>) -> EmbeddedResults<Part> { results.filter(predicate) }

  /// Returns the embedded objects that match a query text; see ``ObjectQuery/filter(_:_:)``.
  public func filter(_ format: String, _ args: Any...) -> EmbeddedResults<Part> {
    results.filter(format, variadic: args)
  }

  /// Returns the embedded objects that match a query text without arguments.
  public func filter(_ format: String) -> EmbeddedResults<Part> { results.filter(format) }

  /// Returns the embedded objects, sorted by the named property.
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> EmbeddedResults<Part> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the embedded objects, sorted by a property.
  public func sorted<Value>(byKeyPath keyPath: KeyPath<Part, Value>, ascending: Bool = true)
    -> EmbeddedResults<Part>
  {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the minimum value of a property, or `nil` if there are no values.
  public func min<Value: Persistable>(of keyPath: KeyPath<Part, Value>) -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue { results.min(of: keyPath) }

  /// Returns the maximum value of a property, or `nil` if there are no values.
  public func max<Value: Persistable>(of keyPath: KeyPath<Part, Value>) -> Value._Present?
  where Value._Present: Persistable & RealmCollectionValue { results.max(of: keyPath) }

  /// Returns the sum of a property, or zero if there are no values.
  public func sum<Value: Persistable>(of keyPath: KeyPath<Part, Value>) -> Value._Present
  where Value._Present: AggregatableNumber { results.sum(of: keyPath) }

  /// Returns the mean of a property, or `nil` if there are no values.
  public func average<Value: Persistable>(of keyPath: KeyPath<Part, Value>) -> Value._Present._Mean?
  where Value._Present: _AveragedValue { results.average(of: keyPath) }
}

extension EmbeddedCollection where Self: Sequence, Element == Part {
  /// Returns the embedded objects that a predicate accepts. For a list, Swift prefers this form to the one of
  /// Foundation, which evaluates the predicate for each element.
  public func filter(_ predicate: Predicate<Part>) -> EmbeddedResults<Part> { results.filter(predicate) }
}

extension List: EmbeddedCollection where Element: EmbeddedObject {
  /// The embedded objects as results. Unless you sort them, they are in the order of the list.
  ///
  /// If the list has unsaved changes, using the results is an error. If the list belongs to no object of a
  /// store, the results have the current objects. As with lists of objects, queries then read a copy: see
  /// ``ObjectCollection``.
  public var results: EmbeddedResults<Element> {
    isStored ? storedEmbeddedResults() : givenEmbeddedResults(Array(self))
  }
}

extension Map: EmbeddedCollection where Value: _OptionalEmbedded {
  /// The embedded objects among the map's values, as results in the order of the map's keys.
  ///
  /// The results behave like the results of a list: see ``EmbeddedResults``. Keys whose value is nil have no
  /// object.
  public var results: EmbeddedResults<Value._Embedded> {
    isStored ? storedEmbeddedResults() : givenEmbeddedResults(values.compactMap { $0 as? Value._Embedded })
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

  /// Returns the embedded objects of a collection that is not in a store.
  fileprivate func givenEmbeddedResults<Embedded: EmbeddedObject>(
    _ objects: @autoclosure () -> [Embedded]
  ) -> EmbeddedResults<Embedded> {
    do {
      try checkRead()
      let given = try UnmanagedCollection(parts: try readingAll(objects))
      return EmbeddedResults(
        context: ObjectContext(.given(given), store: given.store),
        members: given.members
      )
    } catch {
      return EmbeddedResults(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }
}
