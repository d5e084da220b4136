extension LinkingObjects {
  /// Returns the owner of an embedded object as results of at most one object. The results are empty if it
  /// owns the embedded object through a property other than the inverse's.
  func owner(of part: EmbeddedObject) -> Results<Element> {
    guard let context = part._context ?? part._owner?._context, let store = context.store else {
      return Results(
        failure: FiefError(
          .objectNotFound,
          "The embedded object has no owner in a store because it is not in a store.",
          type: Swift.type(of: part).className(),
          property: originPropertyName
        )
      )
    }
    let all = Results<Element>(context: store.inverseContext(of: context))
    do {
      guard let key = try key(ofOwnerOf: part, in: store) else { return all.filtered(by: .constant(false)) }
      return all.filtered(by: .isKey(key, of: Element.className()))
    } catch {
      return all.failing(FiefError.ofQuery(error))
    }
  }

  private func key(ofOwnerOf part: EmbeddedObject, in store: StoreCore) throws -> ObjectKey? {
    let binding = try store.binding(of: Element.self)
    guard let origin = binding.descriptor.property(named: originPropertyName), origin.type.kind == .embedded,
      origin.type.target == Swift.type(of: part).className()
    else {
      throw FiefError(
        .unknownProperty,
        "The type has no embedded object with that name and type.",
        store: store.name,
        type: Element.className(),
        property: originPropertyName
      )
    }
    if let owner = part._owner {
      guard Swift.type(of: owner) == Element.self, owner._context?.store != nil, owner.holds(part, in: origin)
      else { return nil }
      return ObjectKey(bytes: try binding.key(of: owner))
    }
    guard let place = part._place, place.type == Element.self, place.property == origin.name else {
      return nil
    }
    return place.key
  }
}

extension LinkingObjects {
  /// The object that has the inverse, and the name of the inverse's property; `nil` if the inverse belongs to
  /// no object.
  package var inverse: (target: ObjectBase, property: String)? {
    guard let target else { return nil }
    let property = target.descriptor.properties.first {
      $0.type.kind == .linkingObjects && $0.originProperty == originPropertyName
        && $0.type.target == Element.className()
    }
    return property.map { (target, $0.name) }
  }
}

extension LinkingObjects {
  /// A handle of the store from which the inverse is read; `nil` if its object is not in a store.
  package var originStore: Store? {
    shown.map { $0.results.originStore } ?? target?._context?.store.map { Store(.success($0)) }
  }

  /// Whether the object of the inverse was in a store and was deleted.
  ///
  /// - Throws: ``FiefError`` if the store cannot be read.
  package func isOwnerGone() throws -> Bool {
    if let shown { return try shown.isOwnerGone() }
    return try ((target?.root ?? target) as? Object)?.isGone() ?? false
  }

  /// Reports a failed operation to the store's event handler.
  package func reportFailure(_ error: any Error) {
    (target?._context ?? .ofNoStore()).report(
      error,
      type: Element.className(),
      property: (error as? FiefError)?.property
    )
  }
}
