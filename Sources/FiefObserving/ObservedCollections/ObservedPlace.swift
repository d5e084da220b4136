import FiefCore

/// The location of an object's collection in the store, from which a scope can read it.
struct ObservedPlace: Sendable {
  let store: StoreCore
  let members: QueryMembers
  /// The types declared by the handle through which the collection was read.
  private let visible: VisibleTypes?

  /// - Throws: ``FiefError`` if the collection is not in a store or has unsaved changes.
  init(_ collection: OwnedCollection, of type: ObjectBase.Type) throws {
    let (context, members) = try collection.stored(type)
    guard let store = context.store, !store.isClosed else {
      throw FiefError(.storeClosed, "The store is closed.", store: context.store?.name)
    }
    self.store = store
    self.members = members
    visible = context.visible
  }

  /// Reads the collection through a scope. Returns `nil` if its object was deleted.
  ///
  /// - Returns: the collection and its owner. The collection refers to the owner weakly, so the caller keeps
  ///   the owner while it uses the collection.
  func collection<Collection>(
    in scope: Snapshot,
    as type: Collection.Type
  ) throws -> (collection: Collection, owner: ObjectBase)? {
    guard let descriptor = store.descriptor(named: members.type) else { return nil }
    let binding = try store.binding(of: descriptor.type)
    let scope = scope.seeing(visible)
    guard let owner = try members.key.bytes.withUnsafeBytes({ try scope.object(of: binding, key: $0) }) else {
      return nil
    }
    var holder: ObjectBase? = owner
    var value: Any?
    for column in members.path {
      guard let object = holder,
        let property = object.descriptor.properties.first(where: { $0.column == column })
      else { return nil }
      value = object.value(of: property)
      holder = (value as? any OptionalValue)?.containedValue as? ObjectBase ?? value as? ObjectBase
    }
    return (value as? Collection).map { ($0, owner) }
  }

  /// Returns a follower for the objects or values of the collection.
  func follower(
    of element: Any.Type,
    isList: Bool,
    _ watched: _WatchedPaths
  ) throws -> any CollectionFollower {
    let paths = try watched.paths.get()
    guard let type = (element as? any RealmCollectionValue.Type)?._linkType as? Object.Type else {
      if let path = paths?.first { throw notWatched(path) }
      return ElementsFollower(members, followsLinks: store.observesLinkedObjects)
    }
    var description = QueryDescription()
    description.members = members
    return RowsFollower(
      description,
      of: try store.binding(of: type).table.name,
      names: store.queryNames,
      watched: paths,
      followsLinks: store.observesLinkedObjects,
      isList: isList
    )
  }

  /// Returns a follower for the keys of the map.
  func mapFollower(isOfObjects: Bool, _ watched: _WatchedPaths) throws -> ElementsFollower {
    let paths = try watched.paths.get()
    if !isOfObjects, let path = paths?.first { throw notWatched(path) }
    return ElementsFollower(
      members,
      watched: paths,
      followsLinks: store.observesLinkedObjects,
      names: store.queryNames
    )
  }

  private func notWatched(_ path: QueryPath) -> FiefError {
    FiefError(
      .invalidQuery,
      "The elements of the collection have no properties to watch.",
      store: store.name,
      type: members.type,
      property: path.text
    )
  }
}
