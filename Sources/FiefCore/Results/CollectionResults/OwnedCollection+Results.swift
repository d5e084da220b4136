extension List: ObjectCollection, ObjectQuery where Element: Object {
  /// The objects as results, in the order of the list. An object appears as often as it occurs in the list.
  ///
  /// Like all results, this is a description that you can keep and send to other threads. Each use reads the
  /// list in the newest committed state, or in the state of the scope of the owner. Objects that compare as
  /// equal when sorting keep the order of the list. If the list has unsaved changes, using the results is an
  /// error.
  ///
  /// If the list belongs to no object of a store, the results have the current objects of the list, on the
  /// calling thread; later changes of the list do not affect them. Queries use a copy of the objects and of
  /// all objects that can be reached from them; each call of this property makes a new copy. If the objects
  /// cannot be saved together, for example because two of them have the same primary key, using the results
  /// is an error. Such results cannot be observed. A query may refer to objects of a store, but not to an
  /// object without a primary key that was never saved.
  public var results: Results<Element> { isStored ? memberResults() : givenResults(Array(self)) }

  /// The objects of a list that belongs to no object in a store.
  public var _unstoredMembers: [Element]? { isStored ? nil : Array(self) }
}

extension MutableSet: ObjectCollection, ObjectQuery where Element: Object {
  /// The objects as results. Unless you sort them, they are in the order of their keys.
  ///
  /// The results behave like the results of a list: see ``ObjectCollection``.
  public var results: Results<Element> { isStored ? memberResults() : givenResults(Array(self)) }

  /// The objects of a set that belongs to no object in a store.
  public var _unstoredMembers: [Element]? { isStored ? nil : Array(self) }
}

extension Map: ObjectCollection, ObjectQuery where Value._Linked: Object {
  /// The objects among the map's values, as results in the order of the map's keys. An object appears as
  /// often as it occurs in the map.
  ///
  /// The results behave like the results of a list: see ``ObjectCollection``. Keys whose value is nil have no
  /// object.
  public var results: Results<Value._Linked> {
    isStored ? memberResults() : givenResults(values.compactMap { $0 as? Value._Linked })
  }

  /// The objects of a map that belongs to no object in a store.
  public var _unstoredMembers: [Value._Linked]? {
    isStored ? nil : values.compactMap { $0 as? Value._Linked }
  }
}

extension Map where Value: Object {
  /// The values as results, in the order of the map's keys. An object appears as often as it occurs in the
  /// map.
  public var results: Results<Value> { isStored ? memberResults() : givenResults(values) }

  /// Returns the values that meet a condition; see ``ObjectQuery/where(_:)``.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    results.where(isIncluded)
  }

  /// Returns the values that match a query text; see ``ObjectQuery/filter(_:_:)``.
  public func filter(_ format: String, _ args: Any...) -> Results<Value> {
    results.filter(format, variadic: args)
  }

  /// Returns the values that match a query text without arguments.
  public func filter(_ format: String) -> Results<Value> { results.filter(format) }

  /// Returns the values, sorted by a property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }
}

extension OwnedCollection {
  /// Whether the collection belongs, or has belonged, to an object of a store.
  var isStored: Bool {
    if let owner { return (owner.root ?? owner)._context?.store != nil }
    return place != nil
  }

  /// Returns the objects of a collection that is not in a store.
  fileprivate func givenResults<Member: Object>(_ objects: @autoclosure () -> [Member]) -> Results<Member> {
    do {
      try checkRead()
      let given = try UnmanagedCollection(try readingAll(objects))
      var results = Results<Member>(context: ObjectContext(.given(given), store: given.store))
      results.description.members = given.members
      return results
    } catch {
      return Results(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }

  /// Returns the objects of the collection in its store.
  fileprivate func memberResults<Member: Object>() -> Results<Member> {
    do {
      let (context, members) = try stored(Member.self)
      var results = Results<Member>(context: context)
      results.description.members = members
      return results
    } catch {
      return Results(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }

  /// Returns the location of the collection in its store, and the context in which to read it.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` if the collection is not in a store, `invalidQuery` if
  ///   the store has a different collection at its location.
  package func stored(_ type: ObjectBase.Type) throws -> (ObjectContext, QueryMembers) {
    if let owner, let property = owner.descriptor.property(at: offset) {
      return try CollectionPlace.find(property, of: owner)
    }
    if let place { return try place.found() }
    throw FiefError(
      .objectNotFound,
      "The collection does not belong to an object in a store.",
      type: type.className()
    )
  }
}

extension CollectionPlace {
  /// Returns the location of a collection whose owner still exists in memory.
  fileprivate static func find(
    _ collection: PropertyDescriptor,
    of owner: ObjectBase
  ) throws -> (ObjectContext, QueryMembers) {
    var (holder, property) = (owner, collection)
    var path = [property.column]
    var isAssigned = holder.isAssigned(property)
    while let embedded = holder as? EmbeddedObject {
      guard let next = embedded._owner,
        let link = next.descriptor.properties.first(where: {
          $0.type.kind == .embedded && $0.type.container == .none && next.has(embedded, in: $0)
        })
      else {
        throw FiefError(
          .invalidQuery,
          "The collection's object is an element of another collection, or has no owner.",
          type: Swift.type(of: holder).className(),
          property: property.name
        )
      }
      (holder, property) = (next, link)
      path.insert(link.column, at: 0)
      isAssigned = isAssigned || next.isAssigned(link)
    }
    guard let own = holder._context, let store = own.store else {
      throw FiefError(
        .objectNotFound,
        "The collection cannot be queried because its object is not in a store.",
        type: Swift.type(of: holder).className(),
        property: property.name
      )
    }
    let isLive = own.currentScope is WriteTransaction
    if isAssigned, !isLive {
      throw unsaved(in: store, type: Swift.type(of: holder).className(), property: property.name)
    }
    let binding = try store.binding(of: Swift.type(of: holder))
    let key = ObjectKey(bytes: try binding.key(of: holder))
    let members = QueryMembers(type: binding.table.name, key: key, path: path)
    return (store.inverseContext(of: own), members)
  }
}

extension ObjectBase {
  /// Whether an embedded object is the value of a property.
  fileprivate func has(_ object: EmbeddedObject, in property: PropertyDescriptor) -> Bool {
    if isDeferred(property) { return false }
    let value = withFields { property.field.value($0 + property.offset) } as? any EmbeddedObjectHolder
    return value?.holds(object) ?? false
  }
}
