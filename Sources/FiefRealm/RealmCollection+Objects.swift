import Fief

// Queries for generic code that uses a collection of objects. The collections also have these members
// themselves, and Swift prefers those.

extension RealmCollection where Element: Object {
  /// The object at an index. If the index is out of range, returns a placeholder that is in no store and
  /// cannot be saved, and reports the reason to the event handler.
  @_disfavoredOverload
  public subscript(index: Int) -> Element { anyCollection[index] }

  /// The last object, or `nil` if the collection is empty.
  @_disfavoredOverload
  public var last: Element? { anyCollection.last }

  /// Returns a frozen copy of the objects, like `Results.freeze()`.
  @_disfavoredOverload
  public func freeze() -> Results<Element> { anyCollection.results.freeze() }

  /// Returns the objects for which a closure returns `true`.
  @_disfavoredOverload
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    anyCollection.where(isIncluded)
  }

  /// Returns the objects that match a query text.
  @_disfavoredOverload
  public func filter(_ format: String, _ args: Any...) -> Results<Element> {
    anyCollection.results.filter(format, variadic: args.isEmpty ? nil : args)
  }

  /// Returns the objects in the order of a property.
  @_disfavoredOverload
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> Results<Element> {
    anyCollection.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// Returns the objects in the order of a property.
  @_disfavoredOverload
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results<Element> {
    anyCollection.sorted(by: keyPath, ascending: ascending)
  }

  /// Returns the objects in the order of several properties.
  @_disfavoredOverload
  public func sorted(by order: [PropertyOrder]) -> Results<Element> { anyCollection.sorted(by: order) }

  /// Returns one object for each combination of values.
  @_disfavoredOverload
  public func distinct(by keyPaths: [String]) -> Results<Element> { anyCollection.distinct(by: keyPaths) }

  /// Returns the index of an object, or `nil` if the collection does not contain the object.
  @_disfavoredOverload
  public func index(of object: Element) -> Int? { anyCollection.index(of: object) }

  /// Returns the smallest value of a property, or `nil` if the collection is empty.
  @_disfavoredOverload
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    anyCollection.min(ofProperty: property)
  }

  /// Returns the greatest value of a property, or `nil` if the collection is empty.
  @_disfavoredOverload
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    anyCollection.max(ofProperty: property)
  }

  /// Returns the sum of the values of a property.
  @_disfavoredOverload
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    anyCollection.sum(ofProperty: property)
  }

  /// Calls a handler in the caller's isolation with the collection and then with its changes, until the token
  /// is invalidated or released.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties, also of linked objects.
  ///   - isolation: the actor on which the handler is called. The default is the actor of the caller.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let shown = shownCollection
    return local(_WatchedPaths(keyPaths)).observe(isolation: isolation) { handler($0.mapping(shown)) }
  }

  /// Calls a handler on a queue with the collection and then with its changes, until the token is invalidated
  /// or released. A closure that belongs to an actor is called on that actor, whatever the queue.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties, or `nil` for all properties, also of linked objects.
  ///   - queue: the queue on which the handler is called, or `nil` for the place where handlers without `on:`
  ///     are called.
  ///   - handler: receives the changes, one call after another.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue?,
    _ handler: @escaping @isolated(any) (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let (shown, isolation) = (shownCollection, handler.isolation)
    let handler = LocalHandler(isolated: handler)
    return local(_WatchedPaths(keyPaths)).observe(
      on: queue,
      of: isolation,
      LocalHandler { handler.call($0.mapping(shown)) }
    )
  }

  private func local(
    _ watched: _WatchedPaths
  ) -> LocalObservation<RealmCollectionChange<AnyRealmCollection<Element>>> {
    let observed = anyCollection
    return LocalObservation(
      of: hiddenCollection.collection(),
      observed._observation(watched, of: Element.self)
    )
  }

  /// Returns a closure that creates the collection for the handler. The closure does not keep the collection
  /// alive.
  private var shownCollection: (AnyRealmCollection<Element>) throws -> Self {
    let shown: (AnyRealmCollection<Element>) -> Self?
    if let inverse = self as? LinkingObjects<Element> {
      let show = inverse.shownResults
      shown = { show($0.results) as? Self }
    } else {
      shown = { $0 as? Self ?? $0.hidden as? Self }
    }
    return { collection in
      guard let result = shown(collection) else {
        throw FiefError(.invalidValue, "A collection of a type from another module cannot be observed here.")
      }
      return result
    }
  }
}
