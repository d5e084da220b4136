/// The place of a frozen object or collection in its store.
package struct FrozenOrigin {
  private let path: PartPath
  private let context: ObjectContext
  package let store: Store

  /// - Parameter part: an object, an embedded object or a collection.
  /// - Throws: ``FiefError`` of code `foreignObject` where it is in no store, `objectNotFound` where it was deleted.
  package init(of part: AnyObject) throws {
    path = try PartPath(to: part)
    guard let context = Self.context(of: part), let core = context.store else {
      throw FiefError(
        .foreignObject,
        "What is to be frozen is in no store.",
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

  /// The object or collection at the place, in the `read { }` that it came from, or in its committed state;
  /// in an object that no write changes.
  ///
  /// - Parameter followsInScope: whether links are followed in that `read { }`, to its own objects, as long as it lasts.
  /// - Returns: also the object with a key of its own that it is in, which has to be held.
  /// - Throws: ``FiefError`` of code `objectNotFound` where there is none.
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

  /// The object or collection that is at the place now; nil where it was deleted.
  ///
  /// - Throws: ``FiefError`` where it cannot be read.
  package func found() throws -> AnyObject? { try path.find(in: store) }

  package var goneError: FiefError {
    FiefError(
      .objectNotFound,
      "What is to be frozen is not in the store, or was made in the write that goes on.",
      store: context.store?.name,
      type: path.type.className()
    )
  }

  /// The error for the observation of a frozen object or collection.
  package static func unobservable(_ type: ObjectBase.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "What is frozen does not change, so that it cannot be observed; thaw() gives what does.",
      type: type.className()
    )
  }
}
