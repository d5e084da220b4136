import FiefCore

extension Projection {
  /// Whether the projection always shows the same: false for one that was not made by ``freeze()``.
  public var isFrozen: Bool { frozen != nil }

  /// The projection of one state: later writes do not change it.
  ///
  /// ```swift
  /// let frozen = name.freeze()
  /// ```
  /// It has the values of the newest committed state, or of the `read { }` that the object came from; in a
  /// `write { }` they are those from before it. Assignments to the object that were not saved are not in it.
  /// Objects that it shows are read when they are touched, as those of ``FrozenResults`` are.
  ///
  /// An assignment changes nothing and is reported as ``StoreEvent/misuse(_:)``; a change of a list or an object
  /// that it shows makes the write fail. It cannot be observed. Where the object is in no store, was deleted, or
  /// was made in the active write, that is reported too, and the values are those that the projection has.
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

  /// The projection of the object as the store has it now; itself where it is not frozen, nil where the
  /// object was deleted or was in no store.
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

/// The values of a frozen projection.
struct FrozenValues {
  /// The place of the object; nil where it was in no store when it was frozen.
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

/// A value that keeps its type, since an optional in `Any` loses it.
struct Kept<Value>: KeptValue {
  let value: Value
  var any: Any { value }
}

extension FrozenOrigin {
  /// The error for the assignment of a frozen projection or collection.
  static func unassignable(_ type: ObjectBase.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "A frozen projection was assigned; nothing was changed. thaw() gives one that can be changed.",
      type: type.className()
    )
  }
}
