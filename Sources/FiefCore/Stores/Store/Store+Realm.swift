/// Realm's interface for use in a write. These methods do not throw. The enclosing `write` throws the first
/// failure and rolls back all of its changes.
extension Store {
  /// Adds an object. Call this method in a `write { }`.
  public func add(_ object: Object, update: UpdatePolicy = .error) {
    inWrite { try $0.add(object, update: update) }
  }

  /// Adds objects. Call this method in a `write { }`.
  public func add<Element: Object>(_ objects: some Sequence<Element>, update: UpdatePolicy = .error) {
    inWrite { try $0.add(objects, update: update) }
  }

  /// Creates an object from values and adds it. Call this method in a `write { }`.
  @discardableResult
  public func create<Element: Object>(
    _ type: Element.Type,
    value: Any = [String: Any](),
    update: UpdatePolicy = .error
  ) -> Element {
    inWrite { try $0.create(type, value: value, update: update) } ?? type.init()
  }

  /// Deletes an object. Call this method in a `write { }`.
  public func delete(_ object: Object) { inWrite { try $0.delete(object) } }

  /// Deletes objects. Call this method in a `write { }`.
  public func delete<Element: Object>(_ objects: some Sequence<Element>) {
    inWrite { try $0.delete(objects) }
  }

  /// Deletes every object of the store. Call this method in a `write { }`.
  public func deleteAll() { inWrite { try $0.deleteAll() } }

  /// Deletes every object of a type. Call this method in a `write { }`.
  public func deleteAll(_ type: Object.Type) { inWrite { try $0.deleteAll(type) } }

  /// A Boolean value that indicates whether a write of the store is active on this thread.
  public var isInWriteTransaction: Bool { openedCore?.activeWrite != nil }

  @discardableResult
  private func inWrite<Value>(_ body: (WriteTransaction) throws -> Value) -> Value? {
    guard let core = openedCore else {
      report(openingError ?? StoreCore.closedError(""), type: nil)
      return nil
    }
    guard let transaction = core.activeWrite else {
      core.emit(
        .misuse(
          FiefError(
            .transactionEnded,
            "The store was changed outside a write; nothing was done.",
            store: core.name
          )
        )
      )
      return nil
    }
    // The write may belong to another repository, which declares other types.
    let former = transaction.visible
    defer { transaction.visible = former }
    transaction.visible = visible
    do { return try body(transaction) } catch {
      transaction.fail(error)
      return nil
    }
  }
}
