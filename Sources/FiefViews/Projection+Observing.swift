import Dispatch
import FiefCore
import FiefObserving

extension ProjectionObservable where Root: ObservableObjectBase {
  /// Calls a handler with the changes of the projected object in the store, until the token is invalidated or
  /// released.
  ///
  /// ```swift
  /// let token = name.observe { change in
  ///   if case .change(let name, let properties) = change { print(name, properties.map(\.name)) }
  /// }
  /// ```
  /// The handler receives the names of the projection's properties whose value, or whose path to the value,
  /// has changed. If two properties of the projection begin with the same property of the object, both are
  /// reported. The old value is computed from the object's former state, in the same way as the new one. It
  /// is `nil` if the value comes from a different object or from a collection.
  ///
  /// - Parameters:
  ///   - keyPaths: names of properties of the projection or of their source properties, or `nil` for all
  ///     properties of the projection.
  ///   - queue: the queue on which the handler is called, or `nil` for a thread of the library.
  ///   - interval: the minimum time between the starts of two calls, or `nil` for no minimum.
  ///   - handler: receives the changes. It receives an `.error` if a name is unknown, a property reads
  ///     nothing persisted, or the object is not in a store.
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [String]? = nil,
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .queue(queue).every(interval), handler)
  }

  /// Calls a handler with the changes of some properties of the projection.
  ///
  /// - Returns: a token that keeps the observation alive.
  @_disfavoredOverload  // FiefRealm has a form for handlers that stay with the caller, which comes first.
  public func observe(
    keyPaths: [PartialKeyPath<Self>],
    on queue: DispatchQueue? = nil,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(ProjectionSchema.names(keyPaths), .queue(queue).every(interval), handler)
  }

  /// Calls a handler on an actor with the changes of the projected object in the store.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [String]? = nil,
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(keyPaths, .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Calls a handler on an actor with the changes of some properties of the projection.
  ///
  /// - Returns: a token that keeps the observation alive.
  public func observe<Isolation: Actor>(
    keyPaths: [PartialKeyPath<Self>],
    on actor: Isolation,
    every interval: Duration? = nil,
    _ handler: @escaping @Sendable (isolated Isolation, ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    observe(ProjectionSchema.names(keyPaths), .actor(actor).every(interval)) { actor.call(handler, $0) }
  }

  /// Begins an observation. If that fails, the handler receives the error.
  package func observe(
    _ names: [String]?,
    _ executor: ObservationExecutor,
    _ handler: @escaping @Sendable (ObjectChange<Self>) -> Void
  ) -> NotificationToken {
    do {
      if isFrozen { throw FrozenOrigin.unobservable(Root.self) }
      let properties = try ProjectionSchema.properties(of: Self.self, named: names)
      let watched = _WatchedPaths(paths: .success(properties.flatMap(\.paths)))
      return ObservedObject(rootObject, watched).observe(
        executor,
        make: { try ObjectChange.make($0, of: $1, as: Self.self, properties, in: $2) },
        handler
      )
    } catch {
      return executor.enqueueOnce { handler(.error(error)) }
    }
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
