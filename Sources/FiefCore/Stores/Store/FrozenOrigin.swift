/// The location of a frozen object or collection in its store.
package struct FrozenOrigin {
  private let path: PartPath
  private let context: ObjectContext
  package let store: Store

  /// - Parameter part: an object, an embedded object or a collection.
  /// - Throws: ``FiefError`` of code `foreignObject` if it is not in a store, `objectNotFound` if it was
  ///   deleted.
  package init(of part: AnyObject) throws {
    path = try PartPath(to: part)
    guard let context = Self.context(of: part), let core = context.store else {
      throw FiefError(
        .foreignObject,
        "Only an object or a collection in a store can be frozen.",
        type: "\(Swift.type(of: part))"
      )
    }
    self.context = context
    store = Store(.success(core), visible: context.visible)
  }

  private static func context(of part: AnyObject) -> ObjectContext? {
    if let collection = part as? OwnedCollection {
      guard let owner = collection.owner else { return collection.place?.context }
      return (owner.root ?? owner)._context
    }
    return (part as? ObjectBase).flatMap { ($0.root ?? $0)._context }
  }

  /// Reads the object or collection in the `read { }` in which it was read, or otherwise in the newest
  /// committed state. The result is frozen: no write changes it.
  ///
  /// - Parameter followsInScope: whether links are followed in that `read { }`, to its own objects, while it
  ///   lasts.
  /// - Returns: the object or collection, and its holder: the object with its own key that contains it. The
  ///   caller must keep the holder alive.
  /// - Throws: ``FiefError`` of code `objectNotFound` if it does not exist.
  package func committed(followsInScope: Bool = true) throws -> (holder: ObjectBase, part: AnyObject) {
    guard let core = context.store else { throw goneError }
    let binding = try core.binding(of: path.type)
    let object = try path.key.withUnsafeBytes { key in
      if let scope = context.currentScope as? Snapshot {
        let context = ObjectContext(
          store: core,
          scope: followsInScope ? scope : nil,
          visible: context.visible,
          isFrozen: true
        )
        return try core.load(binding, key: key, from: try scope.liveTransaction(), context: context)
      }
      let context = ObjectContext(store: core, visible: context.visible, isFrozen: true)
      return try core.read { try core.load(binding, key: key, from: $0, context: context) }
    }
    guard let object, let part = try path.part(of: object) else { throw goneError }
    return (object, part)
  }

  /// Returns the object or collection that is currently at the location, or nil if it was deleted.
  ///
  /// - Throws: ``FiefError`` if it cannot be read.
  package func found() throws -> AnyObject? { try path.find(in: store) }

  package var goneError: FiefError {
    FiefError(
      .objectNotFound,
      "The object to freeze is not in the store, or the current write created it.",
      store: context.store?.name,
      type: path.type.className()
    )
  }

  /// Returns the error for observing a frozen object or collection.
  package static func unobservable(_ type: ObjectBase.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "A frozen object cannot be observed because it never changes. "
        + "Observe the live object that thaw() returns.",
      type: type.className()
    )
  }
}
