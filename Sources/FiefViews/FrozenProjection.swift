import FiefCore

extension Projection {
  /// A Boolean value that indicates whether the projection never changes, because ``freeze()`` created it.
  public var isFrozen: Bool { frozen != nil }

  /// Returns a frozen projection of the object, which later writes do not change.
  ///
  /// ```swift
  /// let frozen = name.freeze()
  /// ```
  /// The frozen projection has the values of the newest committed state, or of the `read { }` in which the
  /// object was read. In a `write { }` it has the values from before the write, and unsaved assignments to
  /// the object are not included. Objects that the projection shows are read on access, as in
  /// ``FrozenResults``.
  ///
  /// An assignment to a frozen projection changes nothing and is reported as ``StoreEvent/misuse(_:)``.
  /// Changing a list or an object that it shows makes the write fail. A frozen projection cannot be observed.
  /// If the object is not in a store, was deleted, or was created in the active write, that is also reported,
  /// and the frozen projection has the current values.
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

  /// Returns the projection of the object's current state in the store. Returns the projection itself if it
  /// is not frozen, and `nil` if the object was deleted or was not in a store.
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
  /// The location of the object, or `nil` if it was not in a store when it was frozen.
  let origin: FrozenOrigin?
  /// The owner of the projected object, if that is embedded. The embedded object refers to its owner weakly.
  private let holder: ObjectBase?
  private var values: [AnyKeyPath: any AnyFrozenValue] = [:]

  init<View: ProjectionObservable>(of projection: View, _ origin: FrozenOrigin?, _ holder: ObjectBase?) {
    self.origin = origin
    self.holder = holder
    for property in ProjectionSchema.of(projection) {
      values[property.keyPath] = property.wrapper.kept(of: projection.rootObject)
    }
  }

  /// Returns the value of a property of the projection, or `nil` if the projection does not have the
  /// property.
  subscript(keyPath: AnyKeyPath) -> (any AnyFrozenValue)? { values[keyPath] }
}

/// The type-erased interface of ``FrozenValue``.
protocol AnyFrozenValue {
  var any: Any { get }
}

/// A value with its static type, because an optional in `Any` would lose it.
struct FrozenValue<Value>: AnyFrozenValue {
  let value: Value
  var any: Any { value }
}

extension FrozenOrigin {
  /// Returns the error for an assignment to a frozen projection or collection.
  static func unassignable(_ type: ObjectBase.Type) -> FiefError {
    FiefError(
      .invalidValue,
      "A frozen projection was changed; nothing was done. Change the live projection that thaw() returns.",
      type: type.className()
    )
  }
}
