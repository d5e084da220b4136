extension Results {
  /// Returns the identity of the results' store.
  ///
  /// - Throws: ``FiefError`` if the store is not open.
  package func storeIdentity() throws -> String { try observedStore().identity }

  /// Returns the results in the newest state, bound to a handle of their store.
  package func seen(by store: Store) -> Results { rebound(to: store.newest) }
}

extension Results {
  /// Returns the store of the results, for an observation.
  ///
  /// - Throws: the error of the results, or ``FiefError`` if the store is closed.
  package func observedStore() throws -> StoreCore { try openStore(toBe: "observed") }

  /// Returns the store of the results.
  ///
  /// - Parameter use: a participle for the error message, such as "observed".
  package func openStore(toBe use: StaticString) throws -> StoreCore {
    if let failure { throw failure }
    if frozen != nil {
      throw FiefError(
        .invalidValue,
        "Frozen results never change and cannot be \(use). Use the live results that thaw() returns.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    if context.given != nil {
      throw FiefError(
        .objectNotFound,
        "The collection does not belong to an object in a store and cannot be \(use).",
        type: Element.className()
      )
    }
    guard let store = context.store, !store.isClosed else {
      throw FiefError(
        .storeClosed,
        "The store is closed.",
        store: context.store?.name,
        type: Element.className()
      )
    }
    try checkCursors(in: store)
    return store
  }
}

extension Results {
  /// A handle of the results' store; `nil` if they belong to no store.
  package var originStore: Store? {
    guard context.given == nil, let store = context.store else { return nil }
    return Store(.success(store), visible: context.visible)
  }

  /// Checks that the results are changed in a write. Outside a write, the changes would be lost, because
  /// nothing refers to the objects that are read for the change.
  ///
  /// - Throws: ``FiefError`` of code `invalidValue` outside a write.
  package func checkWrite(changing property: String) throws {
    if context.given != nil || context.readingScope is WriteTransaction { return }
    throw FiefError(
      .invalidValue,
      "Changing all objects of results requires a write in their store.",
      store: context.store?.name,
      type: elementType.className(),
      property: property
    )
  }

  /// Reports a failed operation to the store's event handler.
  package func reportFailure(_ error: any Error) {
    context.report(error, type: Element.className(), property: (error as? FiefError)?.property)
  }
}
