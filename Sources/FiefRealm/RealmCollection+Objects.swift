import Fief

// What generic code asks of a collection of objects. The collections have these themselves, and theirs come first.

extension RealmCollection {
  /// Whether no write changes the collection.
  @_disfavoredOverload
  public var isFrozen: Bool { _hidden.isFrozen }
}

extension RealmCollection where Element: Object {
  /// The object at a place. Beyond the ends, and if it was deleted, it is one in no store that cannot be saved, which is reported.
  @_disfavoredOverload
  public subscript(index: Int) -> Element { _hidden[index] }

  /// The last object, or nil.
  @_disfavoredOverload
  public var last: Element? { _hidden.last }

  /// The objects in one state, as `Results.freeze()` gives them.
  @_disfavoredOverload
  public func freeze() -> Results<Element> { _hidden.results.freeze() }

  /// The objects for which a closure is true.
  @_disfavoredOverload
  public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
    _hidden.where(isIncluded)
  }

  /// The objects that a predicate as a text includes.
  @_disfavoredOverload
  public func filter(_ format: String, _ args: Any...) -> Results<Element> {
    _hidden.results.filter(format, variadic: args.isEmpty ? nil : args)
  }

  /// The objects in the order of a property.
  @_disfavoredOverload
  public func sorted(byKeyPath keyPath: some _PropertyName, ascending: Bool = true) -> Results<Element> {
    _hidden.sorted(byKeyPath: keyPath, ascending: ascending)
  }

  /// The objects in the order of a property.
  @_disfavoredOverload
  public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results<Element> {
    _hidden.sorted(by: keyPath, ascending: ascending)
  }

  /// The objects in the order of several properties.
  @_disfavoredOverload
  public func sorted(by order: [PropertyOrder]) -> Results<Element> { _hidden.sorted(by: order) }

  /// One object for each combination of values.
  @_disfavoredOverload
  public func distinct(by keyPaths: [String]) -> Results<Element> { _hidden.distinct(by: keyPaths) }

  /// The place of an object; nil if the collection does not have it.
  @_disfavoredOverload
  public func index(of object: Element) -> Int? { _hidden.index(of: object) }

  /// The least value of a property, or nil.
  @_disfavoredOverload
  public func min<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    _hidden.min(ofProperty: property)
  }

  /// The greatest value of a property, or nil.
  @_disfavoredOverload
  public func max<Value: Persistable & RealmCollectionValue>(ofProperty property: String) -> Value? {
    _hidden.max(ofProperty: property)
  }

  /// The sum of the values of a property.
  @_disfavoredOverload
  public func sum<Value: AggregatableNumber>(ofProperty property: String) -> Value {
    _hidden.sum(ofProperty: property)
  }

  /// Calls a handler where the caller runs with the collection, and then with its changes, until the token ends.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties; nil for all properties, also of linked objects.
  ///   - isolation: the actor on which the handler is called; the caller's.
  ///   - handler: gets the changes, one call after another.
  /// - Returns: the token that keeps the observation going.
  @_disfavoredOverload
  public func observe(
    keyPaths: [String]? = nil,
    isolation: isolated (any Actor)? = #isolation,
    _ handler: @escaping (RealmCollectionChange<Self>) -> Void
  ) -> NotificationToken {
    let handler = LocalHandler { (change: RealmCollectionChange<AnyRealmCollection<Element>>) in
      handler(change.shown(as: self))
    }
    let held = HeldCollection(self, isolation)
    return _hidden._observed(_WatchedPaths(keyPaths)).observe(.caller(isolation)) { change in
      held.refresh(for: change)
      handler.call(change)
    }
  }
}

extension RealmCollectionChange where Collection: HidingCollection {
  /// The change with the collection as another type: the hidden collection, or `observed` if neither type fits.
  fileprivate func shown<Other>(as observed: Other) -> RealmCollectionChange<Other> {
    switch self {
    case .initial(let shown): .initial((shown as? Other ?? shown.hidden as? Other) ?? observed)
    case .update(let shown, let deletions, let insertions, let modifications):
      .update(
        (shown as? Other ?? shown.hidden as? Other) ?? observed,
        deletions: deletions,
        insertions: insertions,
        modifications: modifications
      )
    case .error(let error): .error(error)
    }
  }
}
