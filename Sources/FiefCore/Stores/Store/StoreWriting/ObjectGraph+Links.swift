import LMDB

/// Which links the application assigned, and whether they may lead to deleted objects.
extension ObjectGraph {
  /// Whether deleted objects to which the encoded object links are stored again with it, because the object
  /// itself was deleted and is added again.
  var bringsDeletedObjects: Bool {
    depth == 0 && (store.reinsertsDeletedObjects || isRevived(owner))
  }

  /// Whether the application assigned the link to an object that is being encoded: it assigned the property,
  /// or the object with the link is new. All other links were read with the object that contains them.
  func isGiven(_ object: ObjectBase) -> Bool {
    guard let owner, let property else { return true }
    if owner._context?.store == nil, !owner._wasDeleted, !isRevived(owner) {
      return !CopiedLinks.contains(object, of: owner, property)
    }
    guard owner.isAssigned(property) else { return false }
    guard property.type.container != .none,
      let collection = owner.valueInMemory(of: property) as? OwnedCollection
    else { return true }
    if property.type.kind == .any { return collection.wasGiven(object) }
    // The collection itself leaves out the links that were read with it.
    return !collection.wasSaved(object)
  }

  func noteGivenLink(to object: ObjectBase, _ binding: ObjectBinding) throws {
    changes.append(
      PreparedChanges.RequiredLink(
        operation: isOperand || owner == nil ? nil : changes.operations.count,
        owner: owner?.descriptor.name ?? operandTable?.name,
        property: property?.name,
        ownerKey: operandKeyText,
        target: binding.table,
        key: try binding.key(of: object)
      )
    )
  }

  /// Whether a linked object with unsaved assignments is written with the link. A link does not store an
  /// object again that others deleted.
  ///
  /// - Throws: ``FiefError`` of code `objectNotFound` for a deleted object, unless the link is checked later.
  func writesLinked(_ object: ObjectBase, _ binding: ObjectBinding) throws -> Bool {
    if let ownContext, object._context === ownContext { return true }
    guard try store.hasDeleted(object, binding) else { return true }
    // The caller adds the object again in the same call.
    if roots.contains(where: { $0 === object }) { return true }
    try refuseLink(to: object, binding)
    return false
  }

  /// - Throws: ``FiefError`` of code `objectNotFound`, unless the link is checked later.
  func refuseLink(to object: ObjectBase, _ binding: ObjectBinding) throws {
    if checksLinksLater { return try noteGivenLink(to: object, binding) }
    var error = FiefError.linkToDeleted(
      object,
      binding,
      from: owner.map { Swift.type(of: $0).className() } ?? operandTable?.name,
      property: property?.name,
      in: store
    )
    error.key = operandKeyText
    throw error
  }

  /// The key of the object that a field operation changes, as errors show it; nil for links of other objects.
  private var operandKeyText: String? {
    guard isOperand, let operandTable, let operandKey else { return nil }
    return operandTable.text(ofKey: operandKey)
  }

  /// Checks that a linked object is not of a subclass. To the compiler such an object is a `Target`, but it
  /// is stored in another table. Its key would identify a different object, or no object.
  func checkType(of binding: ObjectBinding) throws {
    guard let property, let target = property.type.target, target != binding.table.name else { return }
    throw FiefError(
      .invalidValue,
      "The property cannot hold objects of a subclass.",
      store: store.name,
      type: owner.map { Swift.type(of: $0).className() },
      property: property.name,
      details: ["the property's type: \(target)", "the object's: \(binding.table.name)"]
    )
  }

  func checkOrigin(of object: ObjectBase) throws {
    guard let context = object._context, context !== ownContext else { return }
    if context.isFrozen {
      throw FiefError(
        .invalidValue,
        "A frozen object may be outdated and cannot be saved. Save the object that thaw() returns.",
        store: store.name,
        type: Swift.type(of: object).className()
      )
    }
    guard let origin = context.store, !origin.isSame(as: store) else { return }
    throw FiefError.foreignObject(
      "The object was read from another store; save a detached copy of it.",
      readFrom: origin,
      in: store,
      type: Swift.type(of: object).className()
    )
  }
}

extension StoreCore {
  /// Returns whether an object with a key exists, in the write of this thread or otherwise in the newest
  /// state.
  func has(_ key: [UInt8], _ binding: ObjectBinding) throws -> Bool {
    guard let records = binding.table.records else { return false }
    return try key.withUnsafeBytes { key in
      if let scope = activeWrite { return try scope.liveTransaction().get(records, key) != nil }
      return try read { try $0.get(records, key) != nil }
    }
  }
}
