extension List: ObjectCollection where Element: Object {
  /// The objects as results: in the order of the list, each as often as it is there.
  ///
  /// Like all results they are a description that can be kept and sent; each use sees the list as it is in the newest
  /// committed state, or in that of the scope that the owner is of. Objects that a sort finds equal stay in the order
  /// of the list. A list with changes that are not saved fails.
  ///
  /// The results of a list that belongs to no object of a store are its present objects, on the calling
  /// thread, whatever happens to the list later. Queries of them read a copy of the objects, and of all
  /// objects that these lead to, which is made at each call; objects that cannot be saved together fail, such
  /// as two with one primary key. They cannot be observed. A query may name objects of a store; naming one
  /// without a primary key that was never saved is an error.
  public var results: Results<Element> { isStored ? memberResults() : givenResults(Array(self)) }

  /// The objects of a list that belongs to no object in a store.
  public var _unstoredMembers: [Element]? { isStored ? nil : Array(self) }
}

extension MutableSet: ObjectCollection where Element: Object {
  /// The objects as results: in the order of their keys until another one is asked for.
  ///
  /// The results are as those of a list: see ``ObjectCollection``.
  public var results: Results<Element> { isStored ? memberResults() : givenResults(Array(self)) }

  /// The objects of a set that belongs to no object in a store.
  public var _unstoredMembers: [Element]? { isStored ? nil : Array(self) }
}

extension Map: ObjectCollection where Value: _OptionalLink {
  /// The objects that are values as results: in the order of the map's keys, each as often as it is there.
  ///
  /// The results are as those of a list: see ``ObjectCollection``. Keys with nil have no object.
  public var results: Results<Value._Linked> {
    isStored ? memberResults() : givenResults(values.compactMap { $0 as? Value._Linked })
  }

  /// The objects of a map that belongs to no object in a store.
  public var _unstoredMembers: [Value._Linked]? {
    isStored ? nil : values.compactMap { $0 as? Value._Linked }
  }
}

extension Map where Value: Object {
  /// The objects that are values as results: in the order of the map's keys, each as often as it is there.
  public var results: Results<Value> { isStored ? memberResults() : givenResults(values) }

  /// The values for which a closure's condition holds, as ``Results/where(_:)`` has them.
  public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> {
    results.where(isIncluded)
  }

  /// The values for which a text is true, as ``Results/filter(_:_:)`` has them.
  public func filter(_ format: String, _ args: Any...) -> Results<Value> {
    results.filter(format, variadic: args)
  }

  /// Returns the values that match a query text without arguments.
  public func filter(_ format: String) -> Results<Value> { results.filter(format) }

  /// The values in the order of a property.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    results.sorted(byKeyPath: keyPath, ascending: ascending)
  }
}

/// A link that may be nil, as the values of maps are.
public protocol _OptionalLink {
  /// The class of the object.
  associatedtype _Linked: Object
}

extension Optional: _OptionalLink where Wrapped: Object {
  /// The class of the object.
  public typealias _Linked = Wrapped
}

extension OwnedCollection {
  /// Whether it belongs, or has belonged, to an object of a store.
  var isStored: Bool {
    if let owner { return (owner.root ?? owner)._context?.store != nil }
    return place != nil
  }

  /// The objects of a collection that no store has.
  fileprivate func givenResults<Member: Object>(_ objects: @autoclosure () -> [Member]) -> Results<Member> {
    do {
      try checkRead()
      let given = try GivenObjects(try readingAll(objects))
      var results = Results<Member>(context: ObjectContext(given: given))
      results.description.members = given.members
      return results
    } catch {
      return Results(failure: FiefError.ofQuery(error), context: reportingContext)
    }
  }

  /// The objects of the collection as the store has it.
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

  /// The place of the collection in the store, and the context that it is looked up with.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` where no store has it, `invalidQuery` where that has
  ///   another one by now.
  package func stored(_ type: ObjectBase.Type) throws -> (ObjectContext, QueryMembers) {
    if let owner, let property = owner.descriptor.property(at: offset) {
      return try CollectionPlace.find(property, of: owner)
    }
    if let place { return try place.found() }
    throw FiefError(
      .objectNotFound,
      "The collection belongs to no object of a store.",
      type: type.className()
    )
  }
}

extension CollectionPlace {
  /// The place in the store of a collection whose object is held.
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
          "The collection is in an object that is an element of another collection, or belongs to none.",
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
        "The object is in no store, so that its collection cannot be asked.",
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
