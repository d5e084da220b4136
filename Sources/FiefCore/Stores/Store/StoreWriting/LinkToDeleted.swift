extension FiefError {
  /// Returns the error for a link to a deleted object.
  ///
  /// - Parameters:
  ///   - object: the deleted object.
  ///   - binding: the binding of its class.
  ///   - type: the type of the object with the link, if it is known.
  ///   - property: the property with the link.
  ///   - store: the store of the save.
  static func linkToDeleted(
    _ object: ObjectBase,
    _ binding: ObjectBinding,
    from type: String?,
    property: String?,
    in store: StoreCore
  ) -> FiefError {
    // An object without a primary key has lost its row id.
    let key = binding.primaryKey.isEmpty ? nil : (try? binding.key(of: object))
    var error = linkToDeleted(binding.table, key: key, from: type, property: property)
    error.store = store.name
    return error
  }

  /// Returns the error for a deleted object that would be copied into the store.
  static func copyOfDeleted(_ object: ObjectBase, _ binding: ObjectBinding, in store: StoreCore) -> FiefError
  {
    let key = binding.primaryKey.isEmpty ? nil : (try? binding.text(ofKeyOf: object))
    return FiefError(
      .objectNotFound,
      "The object to copy was deleted. Add it again, or create an object from a dictionary of its values.",
      store: store.name,
      type: binding.table.name,
      key: key
    )
  }
}

extension StoreCore {
  /// Returns whether an object that was read from this store no longer exists, in the write of this thread or
  /// otherwise in the newest state.
  ///
  /// An object whose primary key was assigned is a different object, which is not deleted. An object that an
  /// enqueued save has yet to insert is not deleted either.
  func hasDeleted(_ object: ObjectBase, _ binding: ObjectBinding) throws -> Bool {
    if reinsertsDeletedObjects || binding.primaryKey.contains(where: { object.isAssigned($0) }) {
      return false
    }
    if object._context?.isAwaitingSave == true { return false }
    return try !has(try binding.key(of: object), binding)
  }
}

extension ObjectBinding {
  /// Returns the key of an object as text for errors.
  func text(ofKeyOf object: ObjectBase) throws -> String { table.text(ofKey: try key(of: object)) }
}
