import FiefCore

extension OptimisticTransaction {
  /// Saves a whole object, together with the new or changed objects to which it links.
  ///
  /// The object is encoded before this method returns; later assignments to it are not part of the write. The
  /// object itself remains unchanged. Therefore a new object without a primary key is added again each time
  /// you set it or an object that links to it.
  ///
  /// - Parameters:
  ///   - object: a new object, or an object that the transaction has read.
  ///   - update: determines what happens if an object with the key exists.
  /// - Throws: ``FiefError`` if the object cannot be saved, or of code `transactionEnded` after the body. The
  ///   change is then not part of the transaction.
  public func set(_ object: Object, update: UpdatePolicy = .all) throws {
    try check(Swift.type(of: object))
    let changes = try Saving.copy(of: [object], policy: update, seeing: visible, in: core)
    try add { $0.append(changes) }
  }

  /// Deletes the object with a primary key, following the delete rules of its relationships.
  ///
  /// If the object does not exist at the commit, the transaction fails with ``FiefError/Code/objectNotFound``
  /// and writes nothing.
  ///
  /// - Throws: ``FiefError`` if the key has the wrong type, or of code `transactionEnded` after the body.
  public func delete<Element: Object>(_ type: Element.Type, forPrimaryKey key: Any) throws {
    try check(type)
    let deletion = try Saving.deletion(ofType: type, forPrimaryKeys: CollectionOfOne(key), in: core)
    try add { $0.append(deletion) }
  }

  /// Deletes an object, following the delete rules of its relationships.
  ///
  /// - Throws: ``FiefError`` of code `foreignObject` if the object belongs to another store, or
  ///   `transactionEnded` after the body.
  public func delete(_ object: Object) throws {
    try check(Swift.type(of: object))
    let deletion = try Saving.deletion(of: CollectionOfOne(object), in: core)
    try add { $0.append(deletion) }
  }
}
