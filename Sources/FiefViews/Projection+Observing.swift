import FiefCore
import FiefObserving

extension ProjectionObservable {
  /// Returns the observation of the projected object. Names refer to properties of the projection or to their
  /// source properties.
  public func _observation<Instance>(
    _ watched: _WatchedPaths,
    of type: Instance.Type
  ) -> _Observation<ObjectChange<Instance>> {
    do {
      if isFrozen { throw FrozenOrigin.unobservable(Root.self) }
      let properties = try ProjectionSchema.properties(of: Self.self, watched)
      let paths = _WatchedPaths(paths: .success(properties.flatMap(\.paths)))
      let observed = ObservedObject(rootObject, paths)
      return _Observation { executor, onEnd, handler in
        observed.observe(
          executor,
          onEnd: onEnd,
          make: { try ObjectChange.make($0, of: $1, as: Self.self, properties, in: $2) }
        ) {
          handler($0.cast(to: Instance.self))
        }
      }
    } catch {
      return _Observation(failing: error)
    }
  }

  /// Returns the names of the properties to which key paths of the projection refer.
  public static func _watched(_ keyPaths: [AnyKeyPath]) -> _WatchedPaths {
    _WatchedPaths(ProjectionSchema.names(keyPaths.compactMap { $0 as? PartialKeyPath<Self> }))
  }
}

extension ObjectChange where T: ProjectionObservable {
  /// Converts a change of the object to a change for an observer of its projection.
  ///
  /// - Throws: ``FiefError`` of code `unknownType` if the store does not have the class, or `damagedRecord`
  ///   if a record is damaged.
  fileprivate static func make(
    _ change: ObservedObjectChange,
    of key: ObjectKey,
    as type: T.Type,
    _ properties: [ProjectionProperty],
    in scope: AccessScope
  ) throws -> ObjectChange {
    guard case .changed(let columns, let old, _) = change else { return .deleted }
    let binding = try scope.store.binding(of: T.Root.self)
    guard let object = try key.bytes.withUnsafeBytes({ try scope.object(of: binding, key: $0) }) as? T.Root
    else { return .deleted }
    let former = try key.bytes.withUnsafeBytes { key in
      try old.withUnsafeBytes { try binding.decode(key: key, record: $0, context: scope.context) }
    }
    let changes = properties.compactMap { property -> PropertyChange? in
      let origins = property.reads.compactMap { $0.names.first.flatMap(binding.descriptor.property(named:)) }
      let hasChanged = origins.contains { origin in
        binding.table.entry.id(ofColumnNamed: origin.column).map(columns.contains) ?? false
      }
      if !hasChanged { return nil }
      let isKept =
        !property.reads.contains(where: \.followsLink)
        && origins.allSatisfy { $0.type.container == .none && $0.type.isStored }
      return PropertyChange(
        name: property.name,
        oldValue: isKept ? property.value(of: former) : nil,
        newValue: property.value(of: object)
      )
    }
    return .change(T(projecting: object), changes)
  }
}
