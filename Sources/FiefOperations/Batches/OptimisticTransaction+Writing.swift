import FiefCore

extension OptimisticTransaction {
  /// Saves an object as a whole, with the objects that it links where these are new or were changed.
  ///
  /// The object is encoded before this returns; later assignments to it are not part of the write. It stays as it is: one
  /// without a primary key that is new is added each time that it is set, or linked by an object that is.
  ///
  /// - Parameters:
  ///   - object: an object that the transaction has read, or a new one.
  ///   - update: the treatment of an object whose key exists.
  /// - Throws: ``FiefError`` for an object that cannot be saved, and of code `transactionEnded` after the body; the write is
  ///   none of the transaction's then.
  public func set(_ object: Object, update: UpdatePolicy = .all) throws {
    try check(Swift.type(of: object))
    let changes = try Saving.copy(of: [object], policy: update, seeing: visible, in: core)
    try add { $0.append(changes) }
  }

  /// Deletes the object with a primary key, by the delete rules of its relationships.
  ///
  /// Where there is no such object at the commit, the transaction ends with the error
  /// ``FiefError/Code/objectNotFound`` and writes nothing.
  ///
  /// - Throws: ``FiefError`` for a key of another type, and of code `transactionEnded` after the body.
  public func delete<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws {
    try check(type)
    let deletion = try Saving.deletion(ofType: type, forPrimaryKeys: CollectionOfOne(key), in: core)
    try add { $0.append(deletion) }
  }

  /// Deletes an object, by the delete rules of its relationships.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` for an object of another store, and of code `transactionEnded` after the
  ///   body.
  public func delete(_ object: Object) throws {
    try check(Swift.type(of: object))
    let deletion = try Saving.deletion(of: CollectionOfOne(object), in: core)
    try add { $0.append(deletion) }
  }
}
