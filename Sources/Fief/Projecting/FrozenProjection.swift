extension Projection {
  /// Whether the projection always shows the same: false for one that was not made by ``freeze()``.
  public var isFrozen: Bool { frozen != nil }

  /// The projection of one state: what is written later does not change it.
  ///
  /// ```swift
  /// let frozen = name.freeze()
  /// ```
  /// It has the values of the newest committed state, or of the `read { }` that the object came from; in a `write { }` they
  /// are those from before it. What was assigned to the object and not saved is not in it. Objects that it shows are read
  /// when they are touched, as those of ``FrozenResults`` are.
  ///
  /// An assignment changes nothing and is reported as ``StoreEvent/misuse(_:)``; a change of a list or an object that it shows
  /// makes the write fail. It cannot be observed. Where the object is in no store, was deleted, or was made in the write that
  /// goes on, that is reported too, and the values are those that the projection has.
  public func freeze() -> Self {
    if isFrozen { return self }
    do {
      let origin = try FrozenOrigin(of: rootObject)
      let (holder, part) = try origin.committed()
      guard let object = part as? Root else { throw origin.goneError }
      return Self.frozen(object, origin, holder)
    } catch {
      rootObject.reportMisuse(error)
      return Self.frozen(rootObject, nil, nil)
    }
  }

  /// The projection of the object as the store has it now; itself where it is not frozen, nil where the object is gone or was
  /// in no store.
  public func thaw() -> Self? {
    guard let frozen else { return self }
    do { return try (frozen.origin?.found() as? Root).map { Self(projecting: $0) } } catch {
      rootObject.reportMisuse(error)
      return nil
    }
  }

  private static func frozen(_ object: Root, _ origin: FrozenOrigin?, _ holder: ObjectBase?) -> Self {
    let projection = Self(projecting: object)
    projection.freeze(FrozenValues(of: projection, origin, holder))
    return projection
  }
}

/// What a frozen projection has.
struct FrozenValues {
  /// Where the object is; nil where it was in no store when it was frozen.
  let origin: FrozenOrigin?
  /// The object that the projected one is embedded in, which that refers to weakly.
  private let holder: ObjectBase?
  private var values: [AnyKeyPath: any KeptValue] = [:]

  init<View: ProjectionObservable>(of projection: View, _ origin: FrozenOrigin?, _ holder: ObjectBase?) {
    self.origin = origin
    self.holder = holder
    for property in ProjectionSchema.of(projection) {
      values[property.keyPath] = property.wrapper.kept(of: projection.rootObject)
    }
  }

  /// The value of a property of the projection; nil for one that it does not have.
  subscript(keyPath: AnyKeyPath) -> (any KeptValue)? { values[keyPath] }
}

/// A value of any type.
protocol KeptValue {
  var any: Any { get }
}

/// A value that keeps its type, which `Any` makes of an optional what is in it.
struct Kept<Value>: KeptValue {
  let value: Value
  var any: Any { value }
}

/// Where something that was frozen is in its store.
struct FrozenOrigin {
  private let path: PartPath
  private let context: ObjectContext
  let store: Store

  /// - Parameter part: an object, an embedded object or a collection.
  /// - Throws: ``FiefError`` of code `foreignObject` where it is in no store, `objectNotFound` where it is gone.
  init(of part: AnyObject) throws {
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

  /// What is there in the `read { }` that it came from, or as it is committed; in an object that no write changes.
  ///
  /// - Returns: also the object with a key of its own that it is in, which has to be held.
  /// - Throws: ``FiefError`` of code `objectNotFound` where there is none.
  func committed() throws -> (holder: ObjectBase, part: AnyObject) {
    guard let core = context.store else { throw goneError }
    let binding = try core.binding(of: path.type)
    let object = try path.key.withUnsafeBytes { key in
      if let scope = context.currentScope as? Snapshot {
        let context = ObjectContext(store: core, scope: scope, visible: context.visible, isFrozen: true)
        return try core.load(binding, key: key, from: try scope.liveTransaction(), context: context)
      }
      let context = ObjectContext(store: core, visible: context.visible, isFrozen: true)
      return try core.read { try core.load(binding, key: key, from: $0, context: context) }
    }
    guard let object, let part = try path.part(of: object) else { throw goneError }
    return (object, part)
  }

  /// What is there now; nil where it is gone.
  ///
  /// - Throws: ``FiefError`` where it cannot be read.
  func found() throws -> AnyObject? { try path.find(in: store) }

  var goneError: FiefError {
    FiefError(
      .objectNotFound,
      "What is to be frozen is not in the store, or was made in the write that goes on.",
      store: context.store?.name,
      type: path.type.className()
    )
  }

  /// Why something frozen cannot be observed.
  static func unobservable(_ type: ObjectBase.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "What is frozen does not change, so that it cannot be observed; thaw() gives what does.",
      type: type.className()
    )
  }

  /// Why something frozen cannot be assigned.
  static func unassignable(_ type: ObjectBase.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "A frozen projection was assigned; nothing was changed. thaw() gives one that can be changed.",
      type: type.className()
    )
  }
}
